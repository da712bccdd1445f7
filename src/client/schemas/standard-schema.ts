/**
 * The Standard Schema interface (version 1), so that any validation library can be handed to
 * `request({ response })`, and the schemas exported here can be handed to any library.
 */
export interface StandardSchema<Output = unknown> {
  /** What the interface consists of. */
  readonly '~standard': {
    /** Version of the Standard Schema interface. */
    readonly version: 1
    /** The library that the schema comes from. */
    readonly vendor: string
    /** Checks a value, now or later. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** Never there at run time: it carries the types. */
    readonly types?:
      | {
          /** What may be checked. */
          readonly input: unknown
          /** What comes of it. */
          readonly output: Output
        }
      | undefined
  }
}

/** What a Standard Schema says of a value. */
export type StandardResult<Output> =
  | {
      /** The value, as the schema gives it. */
      readonly value: Output
      /** Absent: the value fits. */
      readonly issues?: undefined
    }
  | {
      /** Why the value does not fit. */
      readonly issues: readonly StandardIssue[]
    }

/** A key in the path of a {@link StandardIssue}, as some libraries wrap it. */
export interface StandardPathSegment {
  /** The key itself. */
  readonly key: PropertyKey
}

/** One thing that a Standard Schema found wrong. */
export interface StandardIssue {
  /** In the words of the schema's library. */
  readonly message: string
  /** Where in the value: keys from the outside in. */
  readonly path?: readonly (PropertyKey | StandardPathSegment)[] | undefined
}
