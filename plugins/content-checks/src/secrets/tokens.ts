/**
 * Credentials that are told by what they begin with. Those marked with an asterisk follow the patterns of
 * `@secretlint/secretlint-rule-preset-recommend` 12.0.0 (MIT, Copyright (c) 2020 azu), with lengths that are bounded;
 * the others what their issuers document.
 */

/** A form of credential. */
export interface TokenForm {
  readonly type: string
  /** What one of them begins with, as it stands there. */
  readonly starts: readonly string[]
  /** Source of the pattern of what follows that. */
  readonly body: string
  /** Source of a class of all characters in it. */
  readonly characters: string
  /** UTF-16 units of the longest one. */
  readonly longest: number
}

const longestToken = 512

const form = (
  type: string,
  starts: string | readonly string[],
  body: string,
  characters = '[\\w-]',
  longest = longestToken,
): TokenForm => ({
  type,
  starts: typeof starts === 'string' ? [starts] : starts,
  body,
  characters,
  longest,
})

/** So many characters of a class; with a number alone, as many or more. */
const token = (type: string, starts: string | readonly string[], characters: string, least: number, most?: number) =>
  form(
    type,
    starts,
    most === undefined ? `${characters}{${least},${longestToken}}` : `${characters}{${least},${most}}(?!${characters})`,
    characters,
  )

const [letters, capitals, hexadecimal, word, url] = ['[A-Za-z0-9]', '[A-Z0-9]', '[a-f0-9]', '\\w', '[\\w-]']
const base64 = '[A-Za-z0-9+/=]'

const clouds = [
  // *
  token(
    'AWS_ACCESS_KEY',
    ['AKIA', 'ASIA', 'AGPA', 'AIDA', 'AROA', 'AIPA', 'ANPA', 'ANVA', 'ABIA', 'ACCA'],
    capitals,
    16,
    16,
  ),
  token('AWS_BEDROCK_KEY', 'ABSKQmVkcm9ja0FQSUtleS', base64, 60),
  token('GOOGLE_API_KEY', 'AIza', url, 35, 35),
  token('GOOGLE_OAUTH_SECRET', 'GOCSPX-', url, 24),
  token('GOOGLE_OAUTH_TOKEN', 'ya29.', '[\\w.-]', 30),
  token('AZURE_STORAGE_KEY', ['AccountKey=', 'SharedAccessKey='], base64, 40),
  token('AZURE_SIGNATURE', ['sig=', 'sig%3D'], '[A-Za-z0-9%+/=]', 43, 120),
  token('DIGITALOCEAN_TOKEN', ['dop_v1_', 'doo_v1_', 'dor_v1_'], hexadecimal, 64),
  token('HEROKU_KEY', 'HRKU-', url, 36),
  token('ALIBABA_ACCESS_KEY', 'LTAI', letters, 17, 21),
  token('TENCENT_SECRET_ID', 'AKID', letters, 32, 48),
  token('YANDEX_KEY', 'AQVN', url, 35, 38),
  token('FLY_TOKEN', ['fo1_', 'FlyV1 fm2_'], '[\\w+/=-]', 40),
  token('SCALEWAY_KEY', 'SCW', capitals, 17, 17),
]

const forges = [
  // *
  token('GITHUB_TOKEN', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], letters, 36),
  // *
  token('GITHUB_TOKEN', 'github_pat_', word, 60),
  // *
  token(
    'GITLAB_TOKEN',
    ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glimt-', 'glagent-', 'glsoat-'],
    '[\\w.-]',
    20,
  ),
  token('BITBUCKET_TOKEN', ['ATBB', 'ATATT3xFfGF0', 'ATCTT3xFfGN0', 'BBDC-'], '[\\w=-]', 28),
  // *
  token('NPM_TOKEN', 'npm_', letters, 36),
  // *
  form('NPM_TOKEN', '_authToken=', '(?![$"\'{])[\\w./+=~-]{8,512}', '[\\w./+=~-]'),
  form('NPM_TOKEN', ['_auth=', '_password='], '(?![$"\'{])[\\w/+=]{12,512}', '[\\w/+=]'),
  token('PYPI_TOKEN', ['pypi-AgEIcHlwaS5vcmc', 'pypi-AgENdGVzdC5weXBpLm9yZw'], url, 50),
  token('RUBYGEMS_KEY', 'rubygems_', hexadecimal, 48),
  token('CRATES_TOKEN', 'cio', letters, 32, 32),
  // *
  token('DOCKER_TOKEN', ['dckr_pat_', 'dckr_oat_'], url, 27),
  token('NUGET_KEY', 'oy2', '[a-z0-9]', 43, 43),
  token('JFROG_TOKEN', ['AKCp', 'cmVmdGtuOjAxO'], letters, 50),
  token('SOURCEGRAPH_TOKEN', ['sgp_', 'slk_'], word, 40),
  token('CIRCLECI_TOKEN', ['CCIPAT_', 'CCIPRJ_'], word, 40),
  token('BUILDKITE_TOKEN', ['bkua_', 'bkat_'], word, 40),
]

const models = [
  // *
  token('OPENAI_KEY', ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'], url, 40),
  // *
  form('OPENAI_KEY', 'sk-', '[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}'),
  // *
  token('ANTHROPIC_KEY', ['sk-ant-api', 'sk-ant-admin', 'sk-ant-oat', 'sk-ant-sid'], url, 40),
  token('OPENROUTER_KEY', 'sk-or-v1-', hexadecimal, 64),
  form('API_KEY', 'sk-', '(?=[a-zA-Z-]{0,64}\\d)[A-Za-z0-9]{32,128}(?![\\w-])'),
  // *
  token('GROQ_KEY', 'gsk_', letters, 48),
  // *
  token('HUGGING_FACE_TOKEN', ['hf_', 'api_org_'], letters, 34),
  token('REPLICATE_TOKEN', 'r8_', letters, 37),
  token('PERPLEXITY_KEY', 'pplx-', letters, 40),
  token('XAI_KEY', 'xai-', letters, 70),
  token('LANGCHAIN_KEY', ['lsv2_pt_', 'lsv2_sk_'], word, 32),
  token('NVIDIA_KEY', 'nvapi-', url, 60),
  token('TAVILY_KEY', 'tvly-', url, 30),
]

const payment = [
  token('STRIPE_KEY', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'sk_org_'], letters, 20),
  token('STRIPE_WEBHOOK_SECRET', 'whsec_', base64, 32),
  token('SQUARE_TOKEN', ['sq0atp-', 'sq0csp-', 'sq0idp-'], url, 22),
  token('SQUARE_TOKEN', 'EAAA', url, 56, 70),
  token('BRAINTREE_TOKEN', 'access_token$production$', '[a-z0-9$]', 40),
  token('PAYSTACK_KEY', 'FLWSECK-', '[\\w-]', 32),
  token('RAZORPAY_KEY', ['rzp_live_', 'rzp_test_'], letters, 14),
  // *
  token('SHOPIFY_TOKEN', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], letters, 32),
  token('ADYEN_KEY', 'AQE', '[\\w+/=^$-]', 80),
]

const chats = [
  // *
  form(
    'SLACK_TOKEN',
    ['xoxb-', 'xoxp-', 'xapp-', 'xoxa-', 'xoxo-', 'xoxr-', 'xoxs-', 'xoxc-', 'xoxd-', 'xoxe.', 'xoxe-'],
    '[\\w%.-]{20,512}',
    '[\\w%.-]',
  ),
  // *
  form(
    'SLACK_WEBHOOK',
    ['https://hooks.slack.com/services/', 'https://hooks.slack.com/workflows/', 'hooks.slack.com/services/'],
    'T\\w{4,40}/[AB]\\w{4,40}/[\\w/]{12,120}',
    '[\\w/]',
  ),
  form(
    'DISCORD_WEBHOOK',
    ['https://discord.com/api/webhooks/', 'https://discordapp.com/api/webhooks/', 'discord.com/api/webhooks/'],
    '\\d{15,22}/[\\w-]{40,120}',
    '[\\w/-]',
  ),
  form('DISCORD_TOKEN', ['M', 'N', 'O'], '[\\w-]{22,28}\\.[\\w-]{6,7}\\.[\\w-]{27,45}', '[\\w.-]'),
  form('TELEGRAM_TOKEN', 'AA', '(?<=\\d{8,10}:AA)[\\w-]{33}(?![\\w-])'),
  form('TEAMS_WEBHOOK', ['webhook.office.com/', 'logic.azure.com/'], '[\\w@/?=&%.:~-]{60,512}', '[\\w@/?=&%.:~-]'),
  token('TWILIO_KEY', 'SK', hexadecimal, 32, 32),
  form('SENDGRID_KEY', 'SG.', '[\\w-]{16,32}\\.[\\w-]{32,64}', '[\\w.-]'),
  token('MAILGUN_KEY', 'key-', hexadecimal, 32, 32),
  token('BREVO_KEY', ['xkeysib-', 'xsmtpsib-'], '[\\w-]', 64),
  token('FACEBOOK_TOKEN', ['EAAC', 'EAAG', 'EAAB', 'EAAD', 'EAAJ'], letters, 80),
]

const tools = [
  form('JWT', 'eyJ', '(?<![\\w-]eyJ)[\\w-]{14,2048}\\.eyJ[\\w-]{10,4096}\\.[\\w-]{16,1024}', '[\\w.-]', 7184),
  // *
  token('VAULT_TOKEN', ['hvs.', 'hvb.', 'hvr.'], url, 24),
  form('TERRAFORM_TOKEN', 'atlasv1.', '[\\w-]{60,80}'),
  // *
  token('DATABRICKS_TOKEN', 'dapi', '[a-fA-F0-9-]', 32, 34),
  // *
  form('GRAFANA_TOKEN', 'glsa_', '[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}'),
  // *
  token('GRAFANA_TOKEN', 'glc_', base64, 32),
  // *
  token('LINEAR_KEY', ['lin_api_', 'lin_oauth_'], word, 32),
  // *
  token('NOTION_TOKEN', 'ntn_', letters, 40),
  // *
  token('FIGMA_TOKEN', ['figd_', 'figu_', 'figo_'], url, 40),
  // *
  token('VERCEL_TOKEN', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], letters, 20),
  token('NETLIFY_TOKEN', ['nfp_', 'nfc_', 'nfo_'], letters, 36),
  // *
  token('ONEPASSWORD_TOKEN', 'ops_eyJ', base64, 100),
  token('POSTMAN_KEY', 'PMAK-', url, 50),
  token('NEW_RELIC_KEY', ['NRAK-', 'NRJS-', 'NRII-'], '[\\w-]', 19),
  form('SENTRY_TOKEN', ['sntrys_', 'sntryu_'], '[\\w+/=]{40,512}', '[\\w+/=]'),
  token('SUPABASE_KEY', ['sbp_', 'sb_secret_'], word, 30),
  token('PLANETSCALE_TOKEN', ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], '[\\w.=-]', 32),
  token('TAILSCALE_KEY', ['tskey-auth-', 'tskey-api-', 'tskey-client-', 'tskey-'], url, 20),
  form('DOPPLER_TOKEN', ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'], '[\\w.]{40,120}', '[\\w.]'),
  token('PULUMI_TOKEN', 'pul-', hexadecimal, 40),
  token('AGE_KEY', 'AGE-SECRET-KEY-1', capitals, 58),
  token('CLOUDFLARE_KEY', 'v1.0-', '[a-f0-9-]', 100),
  token('MAPBOX_TOKEN', 'sk.eyJ', '[\\w.-]', 60),
  token('AIRTABLE_TOKEN', 'pat', '[\\w.]', 79, 79),
  token('DYNATRACE_TOKEN', 'dt0c01.', '[A-Z0-9.]', 88),
]

export const tokenForms: readonly TokenForm[] = [...clouds, ...forges, ...models, ...payment, ...chats, ...tools]
