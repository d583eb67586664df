import { asList, asObject, asText, type JsonObject } from './conversation.ts';

/**
 * The plainest value that a JSON schema accepts: required fields only, the first choice, `word` for
 * every text.
 */
export function fillSchema(schema: JsonObject, word: string): unknown {
  if (schema['const'] !== undefined) return schema['const'];
  const [choice] = Array.isArray(schema['enum']) ? schema['enum'] : [];
  if (choice !== undefined) return choice;
  const [other] = asList(schema['anyOf'] ?? schema['oneOf']);
  if (other) return fillSchema(other, word);
  const [firstType] = [schema['type']].flat();
  // Gemini writes the names of types in capitals.
  switch (asText(firstType).toLowerCase()) {
    case 'object':
      return fillObject(schema, word);
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'number':
    case 'integer':
      return asNumber(schema['minimum']) ?? 1;
    case 'null':
      return null;
    default:
      return word;
  }
}

function fillObject(schema: JsonObject, word: string): JsonObject {
  const properties = asObject(schema['properties']);
  const required = Array.isArray(schema['required']) ? schema['required'].map(asText) : [];
  return Object.fromEntries(
    required.map((name) => [name, fillSchema(asObject(properties[name]), word)]),
  );
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
