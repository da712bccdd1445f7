import ts from 'typescript'
import { editing } from '../support/compiler.js'
import { fileOf, settings } from './compiler.js'

/** What an editor shows over a name. */
export interface Hover {
  readonly signature: string
  readonly text: string
  readonly tags: readonly string[]
}

export interface Editor {
  hover(place: string): Hover
}

/** Asks as an editor does, over the declarations in `dist`, which are what a user has. */
export function editorOf(places: readonly string[]): Editor {
  const name = fileOf('test/types/hovered.ts')
  const text = `import { GatewayClient } from '../../dist/index.js'
import { CallbackReceiver } from '../../dist/callbacks/index.js'
declare const client: GatewayClient
${places.join(';\n')};
`
  const { service, write } = editing(name, settings)
  write(text)
  /** The end of the last name in a place. */
  const at = (place: string) => text.indexOf(`${place};`) + place.search(/\w+\W*$/)
  return {
    hover(place) {
      const info = service.getQuickInfoAtPosition(name, at(place))
      const tags = (info?.tags ?? []).map((tag) => `@${tag.name} ${ts.displayPartsToString(tag.text)}`)
      return {
        signature: ts.displayPartsToString(info?.displayParts),
        text: ts.displayPartsToString(info?.documentation),
        tags,
      }
    },
  }
}
