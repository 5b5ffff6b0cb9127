/** Whisper's own codes of its languages, in the order of their tokens. */
const codes =
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml ' +
  'cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am ' +
  'yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su yue'

export const whisperLanguages: readonly string[] = codes.split(' ')

/** Whisper's codes by those of ISO 639-1, or by canonical ones of BCP-47, where they differ. */
const whisperCodes: ReadonlyMap<string, string> = new Map([
  ['jv', 'jw'],
  ['nb', 'no'],
  ['fil', 'tl'],
])

/** The ISO code for one of Whisper's. */
export const fromWhisper = (code: string): string => (code === 'jw' ? 'jv' : code)

/** The languages by their codes of ISO 639-1, or 639-3 where there is none. */
export const languages: readonly string[] = whisperLanguages.map(fromWhisper)

/** Whisper's code; undefined for unknown languages. */
export const toWhisper = (language: string): string | undefined => {
  const code = language.toLowerCase()
  return whisperCodes.get(code) ?? (languages.includes(code) ? code : undefined)
}
