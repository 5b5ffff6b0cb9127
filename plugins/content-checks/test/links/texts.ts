import fc from 'fast-check'

/** What links are made of. */
export const linkParts = [
  ...`!¦[¦]¦(¦)¦](¦![¦!!¦<¦>¦"¦'¦\\¦ ¦\n¦\n\n¦:¦]: ¦#¦?q=1¦/¦a¦label¦word¦https://evil.example/¦https://`.split('¦'),
  ...`evil.example/?q=1¦htt¦ps://evil.example/?x¦www.¦//e.example¦<img src=¦<a href="¦<style>¦</style>¦url(`.split('¦'),
  ...` style="¦javascript:¦<https://e.example/?a>¦![a](https://e.example)¦[b](https://e.example/?q)`.split('¦'),
  ...`\n[x]: https://e.example\n¦.¦,¦&#104;¦日本¦\u00ad`.split('¦'),
]

/** Texts of what links are made of, in any order. */
export const textsWithLinks = fc
  .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...linkParts) }, fc.string({ maxLength: 3 })), {
    maxLength: 10,
  })
  .map((parts) => parts.join(''))
