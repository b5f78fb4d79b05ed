import { identifiers, type FieldName, type Identifier } from './fields.ts';

export function isIdentifier(field: FieldName): field is Identifier {
  return identifiers.some((one) => one === field);
}

/** An identifier in its one spelling: headers write the IDs of messages between angle brackets, and people copy them with or without. */
export function identifierOf(field: FieldName, text: string): string {
  const value = text.trim();
  if (field === 'messageid' || field === 'inreplyto') return value.replace(/^<(.*)>$/u, '$1');
  return field === 'attachmenthash' || field === 'itemclass' ? value.toLowerCase() : value;
}
