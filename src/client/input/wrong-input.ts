import { ConfigurationError, InvalidInputError } from '../errors.js'
import { argumentRefusal, optionRefusal } from './check.js'

/** Refuses the request of a method. */
export const wrongInput = argumentRefusal(InvalidInputError, 'request')

/** Refuses the options of a method. */
export const wrongOptions = argumentRefusal(InvalidInputError, 'options')

/** Refuses an option of the client. */
export const wrongOption = optionRefusal(ConfigurationError, 'the client')
