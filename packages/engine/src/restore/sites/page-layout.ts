import type { Json } from '../../ports/item.ts';

/** The standard web parts that the service lets an application create; other types come back only by hand. */
const CREATABLE = new Set([
  'e377ea37-9047-43b9-8cdb-a761be2f8e09',
  '0f087d7f-520e-42b7-89c0-496aaf979d58',
  'df8e44e7-edd5-46d5-90da-aca1539313b8',
  '2161a1c6-db61-4731-b97c-3cdb303f7cbb',
  'b7dd04e1-19ce-4b24-9132-b60a1c2b910d',
  'd1d91016-032f-456d-98a4-721247c305e8',
  'af8be689-990e-492a-81f7-ba3e4cd3ed9c',
  '6410b3b6-d440-4663-8744-378976dc041e',
  'e84a8ca2-f63c-4fb9-bc0b-d8eef5ccb22b',
  '7f718435-ee4d-431c-bdbf-9c4ff326f46e',
  'c70391ea-0b10-4ee9-b2b4-006d3fcad0cd',
  '8654b779-4886-46d4-8ffb-b5ed960ee986',
  '544dd15b-cf3c-441b-96da-004d5a8cea1d',
  'cbe7b0a9-3504-44dd-a3a3-0e5cacd07788',
]);

/** A value without annotations and without empty fields, as a new page takes it. */
export function cleanPart(value: Json): Json {
  if (Array.isArray(value)) return value.map((entry: Json) => cleanPart(entry));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name, field]) => (!name.includes('@') || name === '@odata.type') && field !== null);
  return Object.fromEntries(entries.map(([name, field]) => [name, cleanPart(field)]));
}

function isCreatable(part: Json): boolean {
  const { webPartType } = (part ?? {}) as { readonly webPartType?: Json };
  return typeof webPartType !== 'string' || CREATABLE.has(webPartType.toLowerCase());
}

/** The layout with only those web parts that an application can create. */
export function creatableLayout(value: Json): Json {
  if (Array.isArray(value)) return value.map((entry: Json) => creatableLayout(entry));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, field]): [string, Json] => {
    const isParts = name === 'webparts' && Array.isArray(field);
    return [name, isParts ? (field as readonly Json[]).filter(isCreatable) : creatableLayout(field)];
  });
  return Object.fromEntries(entries);
}
