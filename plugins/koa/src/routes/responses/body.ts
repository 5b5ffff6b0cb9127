/** The body of a request for a response, as the schema describes it. */

import type { FunctionTool } from '@sallyport/core'

export interface PartBody {
  type: 'input_text' | 'output_text' | 'text' | 'summary_text' | 'reasoning_text' | 'input_image' | 'refusal'
  text?: string
  refusal?: string
  image_url?: string | { url: string; detail?: ImageDetail }
  detail?: ImageDetail
}

export type ImageDetail = 'auto' | 'low' | 'high'

export type ContentBody = string | PartBody | PartBody[]

export interface ItemBody {
  type?:
    | 'message'
    | 'function_call'
    | 'function_call_output'
    | 'mcp_call'
    | 'mcp_list_tools'
    | 'reasoning'
    | 'item_reference'
  role?: 'system' | 'developer' | 'user' | 'assistant'
  content?: ContentBody
  id?: string
  status?: string
  arguments?: string
  call_id?: string
  name?: string
  output?: unknown
  error?: unknown
  server_label?: string
  summary?: PartBody[]
}

/** A tool as the schema validates it; the fields that each type requires are checked later. */
export interface ResponseToolBody extends Partial<FunctionTool> {
  type: 'function' | 'mcp'
  server_label?: string
  server_url?: string
  server_description?: string
  initials?: string
  authorization?: string
  headers?: Record<string, string>
  allowed_tools?: (string | { name: string })[] | { tool_names: string[] }
  require_approval?: 'never'
}

export interface ChosenToolBody {
  type: 'function' | 'mcp'
  name?: string
  server_label?: string
}

export type ResponseToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | 'any'
  | (Omit<ChosenToolBody, 'type'> & {
      type: 'function' | 'mcp' | 'allowed_tools'
      mode?: 'auto' | 'required'
      tools?: ChosenToolBody[]
    })

export interface TextFormatBody {
  type: 'text' | 'json_object' | 'json_schema'
  name?: string
  description?: string
  schema?: unknown
  strict?: boolean
}

export interface ResponseBody {
  model: string
  input: string | ItemBody[]
  instructions?: string
  max_output_tokens?: number
  max_tool_calls?: number
  parallel_tool_calls?: boolean
  reasoning?: { effort?: 'low' | 'medium' | 'high' }
  temperature?: number
  top_p?: number
  stream?: boolean
  stream_options?: { include_usage?: boolean }
  tool_choice?: ResponseToolChoice
  tools?: ResponseToolBody | ResponseToolBody[]
  text?: { format?: TextFormatBody }
  metadata?: Record<string, string>
  store?: boolean
  previous_response_id?: string
}
