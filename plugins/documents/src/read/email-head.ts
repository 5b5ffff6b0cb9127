const known =
  /^(?:from|to|cc|bcc|subject|date|message-id|mime-version|content-type|content-transfer-encoding|received|return-path|reply-to|delivered-to|x-[\w-]+|dkim-signature|sender|in-reply-to|references|thread-\w+|authentication-results|list-[\w-]+)$/i

/** Begins with header fields, two of them those of mails (or only such ones, one among them that no letter begins with). */
export const looksLikeEmail = (start: string): boolean => {
  const head = start.replace(/^From \S+ .*\n/, '').split(/\n[ \t]*\n/, 1)[0] ?? ''
  const fields = head.split('\n').filter((line) => !/^[ \t]/.test(line))
  const names = fields.map((line) => /^([!-9;-~]+):/.exec(line)?.[1] ?? '')
  const technical =
    /^(mime-version|content-type|message-id|received|return-path|delivered-to|x-[\w-]+|dkim-signature)$/i
  const mail = names.filter((name) => known.test(name)).length
  return (
    names.length > 0 && names.every(Boolean) && mail > 1 && (names.some((name) => technical.test(name)) || mail > 2)
  )
}
