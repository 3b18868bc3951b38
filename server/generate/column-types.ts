/** The types that the pool's parsers return. Instants are epoch milliseconds. */
const types: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  bool: 'boolean',
  int4: 'number',
  int8: 'number',
  timestamptz: 'number',
  date: 'string',
  json: 'unknown',
  jsonb: 'unknown',
  bytea: 'Buffer',
  tstzrange: 'string',
  _text: 'readonly string[]',
  _uuid: 'readonly string[]',
  _int4: 'readonly number[]',
  _bytea: 'readonly Buffer[]',
  float8: 'number',
  // A function without a result returns an empty text.
  void: 'string',
}

export function columnType(type: string, isNullable: boolean, where: string): string {
  const known = types[type]
  if (!known) throw new Error(`${where}: no TypeScript type for ${type}`)
  return isNullable && known !== 'unknown' ? `${known} | null` : known
}
