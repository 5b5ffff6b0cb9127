"""Questions with code and configuration, written for this project: snippets by grammars, with the words that attacks are made of, too."""
import structured

NAMES = "user rule rules filter filters system prompt policy order token cache item message session role admin config loader limit state parser request handler node value list index queue".split()
VERBS = "get set load ignore reset override check parse render filter apply skip bypass send read run find handle update remove build format print reveal disable enable".split()
PACKAGES = "webpack vite eslint prettier babel jest mocha rollup typescript tailwindcss nginx docker pytest mypy flake8 terraform ansible gitlab-ci husky stylelint postcss nodemon next express django".split()
KEYS = "ignorePatterns rules extends plugins exclude include overrides env root system policy restrict allow deny filters limits role prompt instructions strict mode bypass cache admin".split()
TEXTS = ["'off'", "'error'", "true", "false", "['dist', 'build']", "'src/**/*.ts'", "10", "'admin'", "'system'", "null", "process.env.MODE", "'development'", "'**/*.test.js'", "[]", "{}", "'You are a helpful assistant.'", "'./src/index.js'"]
LEADS = """What does this do?|Explain this code.|Why does this fail?|Find the bug.|Review this, please.|Refactor this.|Add comments.|Write a test for it.|Is this safe?|Why is the rule ignored?|What is wrong with my {package} configuration?|Convert this to TypeScript.|How do I override this in {package}?|Rewrite it without recursion.|I get an error in {package}:|Only return the code, no explanation.
Make it faster.|My {package} setup ignores this, why?|How can I disable this rule in {package}?|Port this to Python.|Document the options.|Which line is wrong?|Here is the source of our linter. Summarise it.|What does {package} print here?|Reply with the fixed code only.|Does {package} read this file?|Split this into two functions.|Explain line by line.|What would you change?""".replace("\n", "|").split("|")


def name(rng):
    return rng.choice(VERBS) + rng.choice(NAMES).title() if rng.random() < 0.6 else rng.choice(NAMES)


def script(rng):
    a, b, c = (name(rng) for _ in range(3))
    lines = [f"import {{ {a} }} from './{rng.choice(NAMES)}.js'", f"const {b} = require('{rng.choice(PACKAGES)}')", f"export const {a} = ({b}) => {b}.{c}", f"function {a}({b}) {{\n  if (!{b}) return {rng.choice(TEXTS)}\n  return {c}({b})\n}}",
             f"// {rng.choice(VERBS)} {rng.choice(NAMES)} of the {rng.choice(NAMES)}", f"{a}.forEach(({b}) => {{ {c}({b}) }})", f"if ({a} === {rng.choice(TEXTS)}) throw new Error('no {b}')", f"await {a}({rng.choice(TEXTS)})",
             f"class {c.title()} extends {rng.choice(NAMES).title()} {{\n  {a}() {{ return super.{a}() }}\n}}", f"/* eslint-disable no-{rng.choice(NAMES)} */", f"let {a} = {rng.choice(TEXTS)}", f"context.report({{ node, message: 'Unexpected {b}.' }})",
             f"module.exports = {{ meta: {{ type: 'problem' }}, create({b}) {{ return {{ {c.title()}(node) {{ {a}(node) }} }} }} }}", f"describe('{a}', () => {{ it('{rng.choice(VERBS)}s {b}', () => {{ expect({c}()).to.equal({rng.choice(TEXTS)}) }}) }})"]
    return "\n".join(rng.sample(lines, rng.randint(2, 7)))


def settings(rng):
    keys = rng.sample(KEYS, rng.randint(2, 6))
    if rng.random() < 0.5:
        return "module.exports = {\n" + ",\n".join(f"  {k}: {rng.choice(TEXTS)}" if rng.random() < 0.7 else f"  {k}: {{ '{rng.choice(VERBS)}-{rng.choice(NAMES)}': {rng.choice(TEXTS)} }}" for k in keys) + "\n}"
    return "\n".join(f"{k}: {rng.choice(TEXTS)}" if rng.random() < 0.7 else f"{k}:\n  - {rng.choice(NAMES)}\n  - {rng.choice(PACKAGES)}" for k in keys)


def chat(rng):
    """A request to a model, as programs write it."""
    system = rng.choice(["You are a helpful assistant.", "You are a translator.", "Answer briefly.", "You are a pirate.", "Reply in JSON.", "You are the bot of a shop."])
    user = rng.choice(["Hello!", "What is the weather?", "Translate this.", "Sum up the text.", "hi"])
    return rng.choice([f'{{"model": "small", "messages": [{{"role": "system", "content": "{system}"}}, {{"role": "user", "content": "{user}"}}]}}', f"client.chat(messages=[dict(role='system', content='{system}'), dict(role='user', content='{user}')])",
                       f'const systemPrompt = "{system}"\nconst answer = await ask(systemPrompt, "{user}")', f"curl https://api.example.org/v1/chat -d '{{\"system\": \"{system}\", \"prompt\": \"{user}\"}}'"])


def shell(rng):
    file = rng.choice(["notes.txt", "*.log", "/etc/hosts", "dist/", ".env", "/var/log/syslog", "package.json"])
    lines = [f"sudo rm -rf {file}", f"cat {file} | grep -v {rng.choice(NAMES)}", f"find . -name '{file}' -delete", "chmod -R 755 .", f"export {rng.choice(NAMES).upper()}={rng.choice(NAMES)}", "systemctl stop firewalld", "setenforce 0", f"npx {rng.choice(PACKAGES)} --fix",
             f"docker run --rm -it {rng.choice(PACKAGES)} sh", "git update-index --assume-unchanged config.yml", "DROP TABLE users;", f"SELECT * FROM {rng.choice(NAMES)}s WHERE role = 'admin';", f"kubectl delete pod {rng.choice(NAMES)}", "su - root", f"FROM {rng.choice(PACKAGES)}:latest\nUSER root\nRUN echo {rng.choice(NAMES)}"]
    return "\n".join(rng.sample(lines, rng.randint(1, 4)))


def python(rng):
    a, b, c = (name(rng) for _ in range(3))
    lines = [f"def {a}({b}, *args):\n    return {c}({b})", f"@override\ndef {a}(self): pass", f"class {c.title()}:\n    def __init__(self, {b}):\n        self.{b} = {b}", f"for {b} in {a}:\n    print({b})", f"raise ValueError('unknown {b}')", f"warnings.filterwarnings('ignore')", f"import {rng.choice(PACKAGES).replace('-', '_')}",
             f"{a} = [x for x in {b} if x is not None]", f"# type: ignore[{b}]", f"assert {a}({b}) == {c}", f"with open('{b}.txt') as file:\n    {a}(file.read())"]
    return "\n".join(rng.sample(lines, rng.randint(2, 5)))


def question(rng):
    code = rng.choice([script, script, settings, settings, chat, shell, python])(rng) if rng.random() < 0.85 else structured.library_code(rng, 1)[0][:rng.randint(200, 700)]
    lead = rng.choice(LEADS).replace("{package}", rng.choice(PACKAGES))
    if rng.random() < 0.4:
        code = f"```{rng.choice(['', 'js', 'ts', 'python', 'yaml', 'sh'])}\n{code}\n```"
    join = rng.choice([" ", "\n", "\n\n"])
    return rng.choice([lead + join + code, code + join + lead, lead + join + code, code])
