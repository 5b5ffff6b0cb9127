import { expect } from 'chai'
import { described, findingsIn, hexadecimal, key, pem, random, whole } from './support.js'

const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const digits = '4820691537'

/** Put together here: no credential stands in this file. */
const found: Readonly<Record<string, readonly [type: string, secret: string]>> = {
  'an AWS access key': ['AWS_ACCESS_KEY', `AK¦IA${random(16, `${letters}27`)}`],
  'a Google key': ['GOOGLE_API_KEY', `AI¦za${random(35)}`],
  'a GitHub token': ['GITHUB_TOKEN', `gh¦p_${random(36)}`],
  'a fine-grained GitHub token': ['GITHUB_TOKEN', `github_¦pat_${random(22)}_${random(59)}`],
  'a GitLab token': ['GITLAB_TOKEN', `glpat¦-${random(20)}`],
  'an npm token': ['NPM_TOKEN', `np¦m_${random(36)}`],
  'a PyPI token': ['PYPI_TOKEN', `pypi-¦AgEIcHlwaS5vcmc${random(120)}`],
  'a Docker token': ['DOCKER_TOKEN', `dckr_¦pat_${random(27)}`],
  'an OpenAI key': ['OPENAI_KEY', `sk-¦proj-${random(120)}`],
  'an Anthropic key': ['ANTHROPIC_KEY', `sk-¦ant-api03-${random(93)}AA`],
  'a Hugging Face token': ['HUGGING_FACE_TOKEN', `h¦f_${random(34, `${letters}bcdfgkq`)}`],
  'a Stripe key': ['STRIPE_KEY', `sk_¦live_${random(24)}`],
  'a Shopify token': ['SHOPIFY_TOKEN', `shp¦at_${hexadecimal(32)}`],
  'a Slack token': ['SLACK_TOKEN', `xox¦b-${random(12, digits)}-${random(12, digits)}-${random(24)}`],
  'a Slack webhook': [
    'SLACK_WEBHOOK',
    `https://hooks.¦slack.com/services/T${random(8, letters)}/B${random(8, letters)}/${random(24)}`,
  ],
  'a Discord token': ['DISCORD_TOKEN', `M${random(25)}.${random(6)}.${random(38)}`],
  'a SendGrid key': ['SENDGRID_KEY', `S¦G.${random(22)}.${random(43)}`],
  'a token of JSON': ['JWT', `e¦yJ${random(30)}.e¦yJ${random(60)}.${random(43)}`],
  'a Vault token': ['VAULT_TOKEN', `hv¦s.${random(90)}`],
  'a Databricks token': ['DATABRICKS_TOKEN', `da¦pi${hexadecimal(32)}`],
  'an age key': ['AGE_KEY', `AGE-SECRET-¦KEY-1${random(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')}`],
  'a private key': ['PRIVATE_KEY', pem(key)],
  'an RSA key': ['PRIVATE_KEY', pem(`RSA ${key}`)],
  'an OpenSSH key': ['PRIVATE_KEY', pem(`OPENSSH ${key}`)],
  'a PGP key': ['PRIVATE_KEY', pem(`PGP ${key} BLOCK`)],
  'a key in a string': ['PRIVATE_KEY', pem(key).replaceAll('\n', String.raw`\n`)],
  'a key of PuTTY': [
    'PRIVATE_KEY',
    `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n${random(64)}\n${random(64)}\nPrivate-MAC: ${hexadecimal(64)}`,
  ],
}

/** The secret between what stands around it. */
const given: readonly (readonly [type: string, before: string, secret: string, after: string])[] = [
  ['SECRET', 'aws_secret_access_key = ', random(40), ''],
  ['AZURE_STORAGE_KEY', 'AccountName=a;', `AccountKey=${random(86)}==`, ';EndpointSuffix=x'],
  ['URL_PASSWORD', 'postgresql://app:', random(14), '@db.internal/orders'],
  ['URL_PASSWORD', 'git clone https://jane:', random(20), '@host.internal/x.git'],
  ['NETRC_PASSWORD', 'machine host login jane password ', random(12), '\n'],
  ['NETRC_PASSWORD', 'machine host\n  login jane\n  password ', random(12), '\n'],
  ['AUTHORIZATION', 'Authorization: Bearer ', random(40), '\n'],
  ['AUTHORIZATION', "headers['Authorization'] = 'Basic ", Buffer.from('deploy:Kx93_hT2').toString('base64'), "'"],
  ['NPM_TOKEN', '//registry.internal/:', `_authToken=${hexadecimal(36)}`, '\n'],
  ['TELEGRAM_TOKEN', 'api.telegram.org/bot1234098765:', `A¦A${random(33)}`, '/getMe'],
  ['PASSWORD', 'PGPASSWORD=', 'kX7!mQ2#tr', '\n'],
  ['PASSWORD', 'the password is ', 'kX7!mQ2#tr', '.'],
  ['PASSWORD', 'Das Passwort lautet ', 'kX7!mQ2#tr', '.'],
  ['PASSWORD', 'La contraseña es ', 'kX7!mQ2#tr', '.'],
  ['PASSWORD', 'Пароль: ', 'kX7!mQ2#tr', ' '],
  ['PASSWORD', '密码：', 'kX7!mQ2#tr', ' '],
  ['PASSWORD', '"dbPassword": "', 'kX7!mQ2#tr', '"}'],
  ['PASSWORD', '<password>', 'kX7!mQ2#tr', '</password>'],
  ['PASSWORD', "define('DB_PASSWORD', '", 'kX7!mQ2#tr', "');"],
  ['PASSWORD', 'mysql --password=', 'kX7!mQ2#tr', ' db'],
  ['PASSWORD', 'curl -s -u jane:', 'kX7!mQ2#tr', ' https://x'],
  ['PASSWORD', 'User ID=sa;Password=', 'kX7!mQ2#tr', ';Encrypt=true'],
  ['SECRET', 'apiKey: "', random(32), '" })'],
  ['SECRET', 'client_secret: ', random(40), '\n'],
  ['SECRET', 'SECRET_KEY_PROD => `', random(40), '`'],
  ['SECRET', 'the access token: ', random(40), ' works'],
  [
    'KUBERNETES_SECRET',
    'apiVersion: v1\ndata:\n  tls.conf: ',
    Buffer.from('listen: 443').toString('base64'),
    '\nkind: Secret\n',
  ],
]

describe('a credential', () => {
  for (const [name, [type, marked]] of Object.entries(found))
    it(`is found: ${name}`, async () => {
      const secret = whole(marked)
      expect(await described(`Use ${secret}, and go on.`)).to.deep.equal([`${type} ${secret}`])
    })

  for (const [type, before, secret, after] of given)
    it(`is told by what stands around it: ${before}…${after.trim()}`, async () =>
      expect(await described(`So:\n${before}${whole(secret)}${after}`)).to.deep.equal([`${type} ${whole(secret)}`]))

  for (const [name, hide] of Object.entries<(secret: string) => string>({
    'invisible characters': (secret) => Array.from(secret).join('\u200b'),
    'soft hyphens': (secret) => secret.replace(/.{5}(?=.)/g, '$&\u00ad'),
    'wide letters': (secret) => secret.replace('ghp', 'ｇｈｐ'),
    'letters of another script': (secret) => secret.replace('p_', 'р_'),
  }))
    it(`is found with ${name}`, async () => {
      const secret = hide(whole(`gh¦p_${random(36)}`))
      expect(await described(`Use ${secret} here`)).to.deep.equal([`GITHUB_TOKEN ${secret}`])
    })

  it('is told by what stands in the text before', async () =>
    expect(await described('kX7!mQ2#tr and more', { before: 'The password is ' })).to.deep.equal([
      'PASSWORD kX7!mQ2#tr',
    ]))

  it('is not looked for where its type is ignored, or its value allowed', async () => {
    const secret = whole(`gh¦p_${random(36)}`)
    expect(await findingsIn(`Use ${secret}`, { ignore: ['GITHUB_TOKEN'] })).to.deep.equal([])
    expect(await findingsIn(`Use ${secret}`, { options: { allow: [secret] } })).to.deep.equal([])
  })
})

describe('what is no credential', () => {
  for (const [name, text] of Object.entries({
    'a hash': `commit ${hexadecimal(40)}`,
    'a digest': `"integrity": "sha512-${random(86)}=="`,
    'a UUID': '"token_id": "123e4567-e89b-12d3-a456-426614174000"',
    'an example': `AWS_ACCESS_KEY_ID=AK¦IAIOSFODNN7EXAMPLE`,
    'a placeholder': `GITHUB_TOKEN=gh¦p_${'x'.repeat(36)}`,
    'words in its place': 'API_KEY=your-api-key-here PASSWORD=changeme DB_PASS=password',
    'a variable': 'password = process.env.DB_PASSWORD; token: ${{ secrets.GITHUB_TOKEN }}; Bearer $TOKEN',
    'a call': 'const token = createToken2(user, a1b2c3d4e5f6a7b8c9); password: hash2Password(x)',
    'a picture': `data:image/png;base64,iVBORw0KGgo${random(900)}`,
    'a beginning in base64': whole(`data:application/wasm;base64,${random(40)}/AK¦IA${random(16, `${letters}27`)}/x`),
    'a comparison': 'if(e.keywordToken===102&&e.name.escapedText===35)',
    'an address with a port': 'http://localhost:3000/a@b and postgres://user:password@localhost/db',
    'a public key': `ssh-rsa AAAAB3NzaC1yc2E${random(300)} jane@host`,
    'the name of a block': `A file that begins with -----BEGIN ${key}----- and ends with -----END ${key}----- is a key.`,
    'a label': 'Password: at least 12 characters. The token is required. password: string',
    'the example of RFC 7617': 'Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
  }))
    it(`is left alone: ${name}`, async () => expect(await findingsIn(whole(text))).to.deep.equal([]))
})
