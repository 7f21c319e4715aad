import { idPattern, type IdKind } from '@merlon/base'
import { Type, type Static, type TProperties, type TSchema } from 'typebox'

/** A body or answer with these fields and no other: a mistyped field must be told, not dropped. */
export function closed<P extends TProperties>(fields: P) {
  return Type.Object(fields, { additionalProperties: false })
}

/** The same with every field optional. Type.Partial forgets that an object was closed, so it is told again. */
export function partial<P extends TProperties>(fields: P) {
  return Type.Partial(Type.Object(fields), { additionalProperties: false })
}

export function idOf(kind: IdKind) {
  return Type.String({ pattern: idPattern(kind) })
}

/** Text with something visible in it, counted in characters. */
export function text(lengthMax: number) {
  return Type.String({ minLength: 1, maxLength: lengthMax, pattern: '\\S' })
}

export const isoDate = Type.String({ format: 'date-time', maxLength: 40 })

export function oneOf<const V extends readonly string[]>(values: V) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values] })
}

/** A field that may be null. Written as a type list, which serialises faster than a union. */
export function nullable<S extends TSchema>(schema: S) {
  const { type } = schema as unknown as { type?: unknown }
  return typeof type === 'string'
    ? Type.Unsafe<Static<S> | null>({ ...schema, type: [type, 'null'] })
    : Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] })
}

export function wholeNumber(minimum: number, maximum: number) {
  return Type.Integer({ minimum, maximum })
}

export const cursorQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
}

export const CursorMeta = closed({ limit: Type.Integer(), nextCursor: nullable(Type.String()) })

export const CountMeta = closed({ total: Type.Integer() })
