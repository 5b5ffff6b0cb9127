/** Chat templates of known families, in short: what matters for calls and reasoning. */

const turn = (role: string, content: string) => `<|im_start|>${role}\\n${content}<|im_end|>\\n`

/** Qwen 2.5 and Hermes 2 Pro. */
export const chatMl = `{%- if tools -%}
{{- '<|im_start|>system\\n' -}}
{%- if messages[0].role == 'system' %}{{- messages[0].content + '\\n\\n' }}{% endif -%}
{{- '# Tools\\n<tools>' -}}{%- for tool in tools %}{{- '\\n' }}{{- tool | tojson }}{% endfor -%}{{- '\\n</tools><|im_end|>\\n' -}}
{%- elif messages[0].role == 'system' -%}{{- '${turn('system', "' + messages[0].content + '")}' -}}
{%- endif -%}
{%- for message in messages -%}
{%- if message.role == 'user' or (message.role == 'assistant' and not message.tool_calls) -%}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' -}}
{%- elif message.role == 'assistant' -%}
{{- '<|im_start|>assistant' -}}
{%- if message.content %}{{- '\\n' + message.content }}{% endif -%}
{%- for call in message.tool_calls -%}
{{- '\\n<tool_call>\\n{"name": "' -}}{{- call.function.name -}}{{- '", "arguments": ' -}}{{- call.function.arguments | tojson -}}{{- '}\\n</tool_call>' -}}
{%- endfor -%}{{- '<|im_end|>\\n' -}}
{%- elif message.role == 'tool' -%}
{{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{% endif -%}`

/** Qwen 3: reasoning of answers behind the last question stay. */
export const qwen3 = `{%- if tools -%}{{- '<|im_start|>system\\n' -}}{%- for tool in tools %}{{- tool | tojson + '\\n' }}{% endfor -%}{{- '<|im_end|>\\n' -}}{%- endif -%}
{%- for message in messages -%}
{{- '<|im_start|>' + ('user' if message.role == 'tool' else message.role) + '\\n' -}}
{%- if message.role == 'assistant' -%}
{%- if loop.last or message.reasoning_content -%}{{- '<think>\\n' + (message.reasoning_content or '').strip('\\n') + '\\n</think>\\n\\n' -}}{%- endif -%}
{{- message.content -}}
{%- for call in message.tool_calls or [] -%}
{%- if (loop.first and message.content) or (not loop.first) %}{{- '\\n' }}{% endif -%}
{{- '<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}\\n</tool_call>' -}}
{%- endfor -%}
{%- elif message.role == 'tool' -%}{{- '<tool_response>\\n' + message.content + '\\n</tool_response>' -}}
{%- else -%}{{- message.content -}}{%- endif -%}
{{- '<|im_end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{% endif -%}`

/** QwQ: the answer begins within the reasoning. */
export const qwq = qwen3.replace(
  "'<|im_start|>assistant\\n' }}{% endif",
  "'<|im_start|>assistant\\n<think>\\n' }}{% endif",
)

/** Llama 3.1: one call in a message. */
export const llama3 = `{{- bos_token -}}
{%- if tools -%}{{- '<|start_header_id|>system<|end_header_id|>\\n\\nEnvironment: ipython<|eot_id|>' -}}{%- endif -%}
{%- for message in messages -%}
{%- if message.role == 'tool' -%}
{{- '<|start_header_id|>ipython<|end_header_id|>\\n\\n' + (message.content | tojson) + '<|eot_id|>' -}}
{%- elif message.tool_calls -%}
{%- if message.tool_calls | length != 1 %}{{ raise_exception('This model only supports single tool-calls at once!') }}{% endif -%}
{%- set call = message.tool_calls[0].function -%}
{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' -}}
{{- '{"name": "' + call.name + '", ' -}}{{- '"parameters": ' -}}{{- call.arguments | tojson -}}{{- '}' -}}{{- '<|eot_id|>' -}}
{%- else -%}
{{- '<|start_header_id|>' + message.role + '<|end_header_id|>\\n\\n' -}}
{%- if loop.first and tools -%}{%- for tool in tools %}{{- tool | tojson + '\\n\\n' }}{% endfor -%}{%- endif -%}
{{- message.content | trim + '<|eot_id|>' -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{% endif -%}`

/** Mistral: ids of nine characters, tools before the last question. */
export const mistral = `{{- bos_token -}}
{%- for message in messages -%}
{%- if message.role == 'user' -%}
{%- if tools and loop.last or tools and loop.first %}{{- '[AVAILABLE_TOOLS] ' }}{{- tools | tojson }}{{- '[/AVAILABLE_TOOLS]' }}{% endif -%}
{{- '[INST] ' + message.content + '[/INST]' -}}
{%- elif message.tool_calls -%}
{{- '[TOOL_CALLS] [' -}}
{%- for call in message.tool_calls -%}
{{- '{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) -}}
{%- if call.id is undefined or call.id | length != 9 %}{{ raise_exception('Tool call IDs should be alphanumeric strings with length 9!') }}{% endif -%}
{{- ', "id": "' + call.id + '"}' -}}{{- ', ' if not loop.last else ']' + eos_token -}}
{%- endfor -%}
{%- elif message.role == 'assistant' -%}{{- ' ' + message.content + eos_token -}}
{%- elif message.role == 'tool' -%}
{%- if message.tool_call_id is undefined or message.tool_call_id | length != 9 %}{{ raise_exception('Tool call IDs should be alphanumeric strings with length 9!') }}{% endif -%}
{{- '[TOOL_RESULTS] {"content": ' + (message.content | tojson) + ', "call_id": "' + message.tool_call_id + '"}[/TOOL_RESULTS]' -}}
{%- else -%}{{ raise_exception('Only user, assistant and tool roles are supported!') }}{%- endif -%}
{%- endfor -%}`

/** DeepSeek R1: control tokens around everything, arguments as text, and what was thought is taken out. */
export const deepSeek = `{{- bos_token -}}
{%- for message in messages -%}
{%- if message.role == 'system' -%}{{- message.content -}}
{%- elif message.role == 'user' -%}
{%- if loop.first and tools %}{{- tools | tojson }}{% endif -%}{{- '<｜User｜>' + message.content -}}
{%- elif message.tool_calls -%}
{{- '<｜Assistant｜><｜tool▁calls▁begin｜>' -}}
{%- for call in message.tool_calls -%}
{{- '<｜tool▁call▁begin｜>' + call.type + '<｜tool▁sep｜>' + call.function.name + '\\n\`\`\`json\\n' + call.function.arguments + '\\n\`\`\`<｜tool▁call▁end｜>' -}}
{%- if not loop.last %}{{- '\\n' }}{% endif -%}
{%- endfor -%}
{{- '<｜tool▁calls▁end｜><｜end▁of▁sentence｜>' -}}
{%- elif message.role == 'assistant' -%}
{{- '<｜Assistant｜>' + (message.content.split('</think>') | last) + '<｜end▁of▁sentence｜>' -}}
{%- elif message.role == 'tool' -%}{{- '<｜tool▁output▁begin｜>' + message.content + '<｜tool▁output▁end｜>' -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt %}{{- '<｜Assistant｜><think>\\n' }}{% endif -%}`

/** Qwen 3 Coder: arguments are no JSON. */
export const xmlParameters = `{%- for tool in tools or [] %}{{- tool | tojson }}{% endfor -%}
{%- for message in messages -%}
{{- '<|im_start|>' + message.role + '\\n' + message.content -}}
{%- for call in message.tool_calls or [] -%}
{{- '\\n<tool_call>\\n<function=' + call.function.name + '>\\n' -}}
{%- for key, value in call.function.arguments | items -%}{{- '<parameter=' + key + '>\\n' + value + '\\n</parameter>\\n' -}}{%- endfor -%}
{{- '</function>\\n</tool_call>' -}}
{%- endfor -%}
{{- '<|im_end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{% endif -%}`

/** No word of tools, and no role for what they return. */
export const withoutTools = `{%- for message in messages -%}
{%- if message.role not in ['system', 'user', 'assistant'] %}{{ raise_exception('Unknown role') }}{% endif -%}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{% endif -%}`

/** Gemma 2: no messages of the system, turns that alternate. */
export const withoutSystem = `{{- bos_token -}}
{%- for message in messages -%}
{%- if message.role == 'system' %}{{ raise_exception('System role not supported') }}{% endif -%}
{%- if (message.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles must alternate') }}{% endif -%}
{{- '<start_of_turn>' + ('model' if message.role == 'assistant' else 'user') + '\\n' + message.content | trim + '<end_of_turn>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt %}{{- '<start_of_turn>model\\n' }}{% endif -%}`

/** Llama 3.1 with tools of its own: calls end with a token of their own. */
export const llama3WithCode = llama3.replace("'}' -}}{{- '<|eot_id|>'", "'}' -}}{{- '<|eom_id|>'")
