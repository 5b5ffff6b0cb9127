/** What one key may take of what all keys share: an eighth, where there are eight, is kept for the others. */
export const shareOf = (whole: number): number => whole - Math.floor(whole / 8)
