/** Results of tools as programs print them: hashes, ids, encoded images, and keys that documents give as examples. */

import { Chance } from './random.js'

const chance = new Chance(7)
const { hexadecimal, uuid, digits, base64, letters, small, capitals } = chance
const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n')
const word = (): string =>
  chance.oneOf(['cache', 'worker', 'api', 'billing', 'search', 'auth', 'users', 'orders', 'token', 'secret'])
const joined = (...parts: readonly string[]): string => parts.join('')

const makers: Readonly<Record<string, () => string>> = {
  'git log': () =>
    lines(30, () => `commit ${hexadecimal(40)}\nAuthor: Ann\n\n    ${word()}: rotate the ${word()} key\n`),
  'git objects': () => lines(40, () => `100644 blob ${hexadecimal(40)}\tsrc/${word()}/password.ts`),
  'docker ps': () =>
    lines(20, () => `${hexadecimal(12)}   ${word()}:v${digits(1)}.${digits(2)}   sha256:${hexadecimal(64)}`),
  checksums: () => lines(30, () => `${hexadecimal(64)}  ${word()}-${digits(2)}.tar.gz`),
  integrity: () =>
    lines(
      30,
      () =>
        `    "integrity": "sha512-${base64(64)}",\n    "resolved": "https://host.invalid/${word()}/-/${word()}-1.${digits(2)}.0.tgz",`,
    ),
  'rows with ids': () =>
    JSON.stringify(
      Array.from({ length: 30 }, () => ({
        id: uuid(),
        token_count: chance.below(4000),
        session: uuid(),
        etag: `W/"${hexadecimal(32)}"`,
        hash: hexadecimal(40),
      })),
    ),
  'an image': () => `data:image/png;base64,iVBORw0KGgo${base64(3000)}`,
  'an image in HTML': () => `<p>Logo: <img alt="logo" src="data:image/jpeg;base64,/9j/${base64(2000)}"></p>`,
  'a font in CSS': () => `@font-face{font-family:x;src:url(data:font/woff2;base64,d09GMgAB${base64(2400)})}`,
  'a certificate': () => `-----BEGIN CERTIFICATE-----\n${lines(20, () => base64(48))}\n-----END CERTIFICATE-----`,
  'a public key': () =>
    `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ${base64(200)} ann@${word()}\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${base64(32)} bob`,
  'a PEM public key': () => `-----BEGIN PUBLIC KEY-----\n${lines(6, () => base64(48))}\n-----END PUBLIC KEY-----`,
  'a signed message': () =>
    `-----BEGIN PGP SIGNATURE-----\n\n${lines(8, () => base64(48))}\n=${letters(4)}\n-----END PGP SIGNATURE-----`,
  'bundled code': () =>
    `!function(e,t){${lines(60, () => `var ${small(2)}=e("${hexadecimal(20)}"),t=${small(1)}.token||${small(2)}.password;`).replaceAll('\n', '')}}();`,
  'a source map': () =>
    JSON.stringify({ version: 3, mappings: lines(200, () => `${letters(4)},${letters(5)}`).replaceAll('\n', ';') }),
  'examples in an environment': () =>
    joined(
      'API_KEY=your-api-key-here\nAWS_ACCESS_KEY_ID=',
      'AKIA',
      'IOSFODNN7EXAMPLE\nSECRET_KEY=changeme\nDATABASE_URL=postgres://user:password@localhost:5432/app\nGITHUB_TOKEN=',
      'ghp_',
      'x'.repeat(36),
    ),
  'examples in a shell': () =>
    joined(
      'export OPENAI_API_KEY="sk-...',
      '"\nexport TOKEN=$(cat token.txt)\ncurl -H "Authorization: Bearer $TOKEN" https://api.host.invalid/v1\ncurl -u user:password https://host.invalid',
    ),
  'code that reads keys': () =>
    `const apiKey = process.env.${capitals(4)}_API_KEY ?? config.get('apiKey')\nconst token = await getToken(user.id, options.secretName)\nif (password !== confirmPassword) throw new Error('passwords differ')\nclient.setPassword(readFileSync(passwordFile, 'utf8'))`,
  'a form': () =>
    '<label for="password">Password</label><input type="password" name="password" placeholder="Your password" autocomplete="current-password"><input type="hidden" name="csrf_token_name" value="csrf">',
  'a manifest': () =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${word()}-config\n  uid: ${uuid()}\ndata:\n  LOG_LEVEL: debug\n  CHECKSUM: ${hexadecimal(64)}`,
  'a pull secret by name': () =>
    `apiVersion: v1\nkind: Pod\nspec:\n  imagePullSecrets:\n    - name: registry-secret\n  containers:\n    - name: ${word()}\n      env:\n        - name: DB_PASSWORD\n          valueFrom:\n            secretKeyRef:\n              name: ${word()}-secret\n              key: password`,
  logs: () =>
    lines(
      40,
      (at) =>
        `2026-11-0${1 + (at % 9)}T10:0${at % 10}:00Z INFO request_id=${uuid()} trace=${hexadecimal(32)} token_usage=${digits(4)} path=/v1/${word()}/${hexadecimal(24)}`,
    ),
  'HTTP headers': () =>
    `HTTP/1.1 200 OK\netag: "${hexadecimal(32)}"\nx-request-id: ${uuid()}\ncontent-security-policy: script-src 'sha256-${base64(32)}'\nset-cookie: theme=dark; Path=/`,
  'ids of things': () =>
    lines(
      40,
      () =>
        `${word()}_${letters(16)}  arn:aws:iam::${digits(12)}:role/${word()}  projects/${word()}/locations/eu/keys/${digits(12)}`,
    ),
  'hashes of passwords in words': () =>
    'Passwords are stored as salted hashes. Password: at least 12 characters, one digit (e.g. correct-horse-battery-staple).\nThe token is 64 characters long; the secret is kept in the vault.',
  vectors: () => `[${lines(300, () => `0.${digits(8)}`).replaceAll('\n', ', ')}]`,
}

/** One after the other of each kind. */
export const madeResults = (count: number): { kind: string; text: string }[] => {
  const kinds = Object.entries(makers)
  return Array.from({ length: count }, (_, at) => {
    const [kind, make] = kinds[Math.floor(at / 2) % kinds.length] as [string, () => string]
    return { kind, text: make() }
  })
}
