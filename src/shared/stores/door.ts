import { type Door, didYouMean, endSentence } from '../../client/input/reader.js'
import { ConfigurationError } from '../../index.js'

/** How the options of one function of an entry are spoken of. */
export function doorOf(name: string, needed: string): Door {
  return {
    notKnown: (option, known) =>
      `is not an option of ${name}; the options are ${known.join(', ')}${didYouMean(option, known)}`,
    refuse: (option, why) => new ConfigurationError(endSentence(`${option} ${why}`, '.'), { option }),
    needsObject: () => new ConfigurationError(`${name} needs an object of options: ${needed}.`),
  }
}
