/** Bytes in base64, in which short patterns match by chance where a sign of it stands beside them. */

const row = String.raw`(?=[A-Za-z+/]{0,15}\d)[A-Za-z\d+/]{16}`

export const notBehindBytes = String.raw`(?<!${row}[+/])`
export const notBeforeBytes = String.raw`(?![+/]${row})`
