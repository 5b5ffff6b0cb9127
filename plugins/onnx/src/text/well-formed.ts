/** UTF-8 has no lone surrogates; the length does not change. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd')
