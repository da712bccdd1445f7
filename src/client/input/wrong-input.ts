import { ConfigurationError, InvalidInputError } from '../errors.js'
import { argumentRefusal, optionRefusal } from './check.js'

export const wrongInput = argumentRefusal(InvalidInputError, 'request')

export const wrongOptions = argumentRefusal(InvalidInputError, 'options')

export const wrongOption = optionRefusal(ConfigurationError, 'the client')
