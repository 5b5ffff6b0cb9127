/** Works and figures of art and tales that are called like people, in lower case: nobody is meant. */
export const works: ReadonlySet<string> = new Set(
  'mona lisa|anna karenina|moby dick|don quixote|don quijote|madame bovary|jane eyre|robinson crusoe|oliver twist|peter pan|robin hood|santa claus|mickey mouse|donald duck|harry potter|sherlock holmes|mary poppins|romeo and juliet|dorian gray|tom sawyer|king lear'.split(
    '|',
  ),
)
