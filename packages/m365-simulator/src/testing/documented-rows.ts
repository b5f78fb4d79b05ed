import type { JsonObject } from '../values/json.ts';
import type { Workload } from '../http/workload.ts';
import type { InProcess } from './in-process.ts';
import { type Shape, shapeOf } from './shape.ts';

/** One row of the coverage table: a request, and what the documentation says comes back. */
export interface DocumentedRow {
  /** Method and template, as the routes have them. */
  readonly row: string;
  readonly ask: (sim: InProcess) => string | Promise<string>;
  readonly body?: JsonObject | Buffer | ((sim: InProcess) => JsonObject | Promise<JsonObject>);
  readonly status: number;
  /** Absent when no JSON comes back. */
  readonly shape?: Shape;
}

/** An object with the context that every answer of its own carries. */
export function entity(shape: { readonly [name: string]: Shape }): Shape {
  return { '@odata.context': 'string', ...shape };
}

/** A collection whose first element has this shape. */
export function collection(shape: Shape): Shape {
  return { '@odata.context': 'string', value: [shape] };
}

/** Sends the request of a row and tells status and shape. */
export async function answerTo(sim: InProcess, { row, ask, body }: DocumentedRow): Promise<{ status: number; shape: Shape | undefined }> {
  const [method = 'GET'] = row.split(' ');
  const given = typeof body === 'function' ? await body(sim) : body;
  const { status, json, bytes } = await sim.ask(method, await ask(sim), given === undefined ? {} : { body: given });
  const isEmpty = Object.keys(json).length === 0 || bytes.byteLength > 0;
  return { status, shape: isEmpty ? undefined : shapeOf(json) };
}

/** Rows that the routes of a workload have and the table lacks: other spellings of a path are one row. */
export function missingRows(workload: Workload, rows: readonly DocumentedRow[]): string[] {
  const documented = new Set(rows.map(({ row }) => row));
  const served = workload.routes.filter((route) => route.like === undefined && (route.host ?? 'graph') === 'graph');
  return served.map(({ method, path }) => `${method} ${path}`).filter((row) => !documented.has(row));
}
