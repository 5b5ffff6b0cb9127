/** Whether an address is content by itself: its scheme has no case, and browsers leave out white space before it. */
export const isDataUrl = (url: string): boolean => /^\s*data:/i.test(url)
