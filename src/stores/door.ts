import { ConfigurationError } from '../index.js'
import { type Door, didYouMean, endSentence } from '../input/reader.js'

/** How the options of one function of an entry are spoken of. */
export function doorOf(name: string, needed: string): Door {
  return {
    notKnown: (option, known) =>
      `is not an option of ${name}; the options are ${known.join(', ')}${didYouMean(option, known)}`,
    refuse: (option, why) => new ConfigurationError(endSentence(`${option} ${why}`, '.'), { option }),
    needsObject: () => new ConfigurationError(`${name} needs an object of options: ${needed}.`),
  }
}
