/** In no vocabulary. */
const outside = 2 ** 31 - 1

/** What no model can know arrives as one id that is in no vocabulary. */
export const tokenId = (id: number): number => (id >= 0 && id < outside ? id : outside)
