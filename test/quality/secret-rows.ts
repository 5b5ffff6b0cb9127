/**
 * Texts with credentials of 50 kinds. Each is put together when it is read, of parts that are no credential and of
 * characters by chance: none is real, and none stands in this file as one.
 */

import { Chance } from './random.js'

export interface SecretRow {
  readonly kind: string
  readonly text: string
  /** What must not leave. */
  readonly secret: string
}

const chance = new Chance(50)
const { letters, capitals, small, hexadecimal, digits, base64, url, uuid } = chance
const { oneOf } = { oneOf: <Item>(...items: readonly Item[]): Item => chance.oneOf(items) }
const part = (object: unknown): string => Buffer.from(JSON.stringify(object)).toString('base64url')
const rows = (bytes: number, width: number): string =>
  base64(bytes)
    .replace(new RegExp(`.{${width}}`, 'g'), '$&\n')
    .trim()
const password = (): string =>
  `${oneOf('Br', 'kL', 'Tz', 'Wq')}${digits(2)}${oneOf('!', '#', '_', '$')}${small(4)}${capitals(2)}`
const pem = (label: string, bytes: number): string =>
  ['-----BEGIN ', label, '-----\n', rows(bytes, 64), '\n-----END ', label, '-----'].join('')

/** Credentials by their kind. */
const makers: Readonly<Record<string, () => string>> = {
  'AWS access key': () => oneOf('AK', 'AS') + 'IA' + capitals(16),
  'Google API key': () => 'AI' + 'za' + `Sy${url(33)}`,
  'Google OAuth secret': () => 'GOC' + `SPX-${url(28)}`,
  'DigitalOcean token': () => 'dop' + `_v1_${hexadecimal(64)}`,
  'GitHub token': () => 'gh' + `p_${letters(36)}`,
  'GitHub fine-grained token': () => 'github' + `_pat_${letters(22)}_${letters(59)}`,
  'GitLab token': () => 'glp' + `at-${url(20)}`,
  'npm token': () => 'npm' + `_${letters(36)}`,
  'PyPI token': () => 'pypi-' + 'AgEIcHlwaS5vcmc' + url(140),
  'RubyGems key': () => 'ruby' + `gems_${hexadecimal(48)}`,
  'Docker token': () => 'dckr' + `_pat_${url(27)}`,
  'Hugging Face token': () => 'h' + `f_${chance.of('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 34)}`,
  'OpenAI key': () => 's' + `k-proj-${url(74)}T3Blbk` + `FJ${url(74)}`,
  'Anthropic key': () => 'sk-' + `ant-api03-${url(93)}AA`,
  'Groq key': () => 'gs' + `k_${letters(52)}`,
  'Stripe key': () => oneOf('sk', 'rk') + '_li' + `ve_${letters(24)}`,
  'Stripe webhook secret': () => 'wh' + `sec_${letters(32)}`,
  'Square token': () => 'sq' + `0csp-${url(43)}`,
  'Shopify token': () => 'shp' + `at_${hexadecimal(32)}`,
  'Slack token': () => 'xo' + `xb-${digits(12)}-${digits(12)}-${letters(24)}`,
  'Slack webhook': () => 'https://hooks.sl' + `ack.com/services/T${capitals(8)}/B${capitals(10)}/${letters(24)}`,
  'Discord webhook': () => 'https://discord.com/api/web' + `hooks/${digits(18)}/${url(68)}`,
  'Discord token': () => `MT${url(22)}.` + `G${letters(5)}.${url(38)}`,
  'SendGrid key': () => 'S' + `G.${url(22)}.${url(43)}`,
  'Twilio key': () => 'S' + `K${hexadecimal(32)}`,
  'Mailgun key': () => 'key' + `-${hexadecimal(32)}`,
  JWT: () => `ey${part({ alg: 'HS256', typ: 'JWT' }).slice(2)}.${part({ sub: uuid(), exp: 1_800_000_000 })}.${url(43)}`,
  'Vault token': () => 'hv' + `s.${url(92)}`,
  'Databricks token': () => 'da' + `pi${hexadecimal(32)}`,
  'Grafana token': () => 'gl' + `sa_${letters(32)}_${hexadecimal(8)}`,
  'Linear key': () => 'lin' + `_api_${letters(40)}`,
  'Notion token': () => 'nt' + `n_${digits(11)}${letters(35)}`,
  'Figma token': () => 'fi' + `gd_${url(40)}`,
  'Sentry token': () => 'sn' + `trys_${letters(80)}`,
  'New Relic key': () => 'NR' + `AK-${capitals(27)}`,
  'age key': () => 'AGE-SECRET' + `-KEY-1${chance.of('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`,
  'RSA key': () => pem('RSA PRIV' + 'ATE KEY', 600),
  'PKCS 8 key': () => pem('PRIV' + 'ATE KEY', 140),
  'OpenSSH key': () => pem('OPENSSH PRIV' + 'ATE KEY', 320),
  'EC key': () => pem('EC PRIV' + 'ATE KEY', 121),
  'PGP key': () => pem('PGP PRIV' + 'ATE KEY BLOCK', 800),
}

/** Credentials that only what stands around them tells: the text with a mark in the place of the credential. */
const given: Readonly<Record<string, readonly [text: string, make: () => string]>> = {
  'AWS secret key': ['aws_secret_access_key = @@', () => base64(30)],
  'Azure storage key': [
    'DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=@@;EndpointSuffix=core.windows.net',
    () => base64(64),
  ],
  'database address': ['DATABASE_URL=postgresql://app:@@@db.acme.internal:5432/orders', () => letters(14)],
  'MongoDB address': ['mongodb+srv://svc-orders:@@@cluster0.ab1cd.mongodb.net/?retryWrites=true', () => letters(16)],
  'address of a proxy': [
    'curl -x http://jane:@@@proxy.acme.internal:3128 https://acme.invalid',
    () => `k${digits(3)}${letters(9)}`,
  ],
  'Telegram token': ['curl https://api.telegram.org/bot1234098765:@@/getMe', () => 'A' + `A${url(33)}`],
  netrc: ['machine api.acme.internal\n  login deploy\n  password @@\n', () => letters(20)],
  'bearer token': ['GET /v1/me HTTP/1.1\nAuthorization: Bearer @@\nAccept: */*', () => url(48)],
  'basic authentication': [
    'curl -H "Authorization: Basic @@" https://acme.invalid',
    () => Buffer.from(`deploy:${letters(12)}`).toString('base64'),
  ],
  'Kubernetes secret': [
    'apiVersion: v1\ndata:\n  tls.conf: @@\nkind: Secret\nmetadata:\n  name: tls\n',
    () => base64(24),
  ],
  'password in an environment': ['PGHOST=db\nPGPASSWORD=@@\nPGUSER=app', password],
  'API key in code': ['const client = new Client({ region: "eu", apiKey: "@@" })', () => small(32)],
  'secret in YAML': ['oauth:\n  client_id: acme\n  client_secret: @@\n', () => url(40)],
  'token in JSON': ['{"user":"ci","access_token":"@@","expires_in":3600}', () => letters(40)],
  'password in words': ['Hi, the login is jane and the password is @@ - please keep it to yourself.', password],
  'npm configuration': ['//registry.acme.internal/:_authToken=@@', uuid],
  'password of a connection': ['Server=tcp:acme.internal;Database=crm;User ID=sa;Password=@@;Encrypt=true', password],
}

/** Where people and models say such things. */
const around: readonly string[] = [
  'Why does this fail with 401? I use @@ as my key.',
  'Here is my configuration:\n\n```env\nKEY=@@\n```\n\nWhat is wrong?',
  'Sure! Put it in the header:\n\n    headers = {"X-Key": "@@"}\n',
  'The deployment log says: using @@ for this run, then it stops.',
]

const put = (text: string, secret: string): string => text.replace('@@', () => secret)

/** Every kind at least once, each time with another text around it. */
/** @param times how often */
export const secretRows = (times = 2): SecretRow[] => {
  const turns = Array.from({ length: times }, (_, turn) => turn)
  const told = Object.entries(makers).flatMap(([kind, make], at) =>
    turns.map((turn): SecretRow => {
      const secret = make()
      return { kind, secret, text: put(around[(at + turn) % around.length] ?? '@@', secret) }
    }),
  )
  const others = Object.entries(given).flatMap(([kind, [text, make]]) =>
    turns.map((turn): SecretRow => {
      const secret = make()
      return { kind, secret, text: put(turn % 2 ? `${text}\n` : `As I said:\n${text}\nDoes that help?`, secret) }
    }),
  )
  return [...told, ...others]
}
