import type { DataRequest } from '@holdfast/contract/data-requests';
import { csvLine } from '../../http/csv.ts';

const COLUMNS = [
  'kind',
  'name',
  'address',
  'note',
  'receivedOn',
  'dueOn',
  'extension',
  'registeredBy',
  'registeredAt',
  'own',
  'mentions',
  'leftOut',
  'notReached',
  'packedAt',
  'packedBy',
  'outcome',
  'how',
  'answeredOn',
  'answeredBy',
] as const;

function cellsOf(request: DataRequest): readonly (string | number | null)[] {
  const { person, collected, exported, answer, extension } = request;
  return [
    request.kind,
    person.name,
    person.address,
    request.note,
    request.receivedOn,
    request.dueOn,
    extension?.reason ?? null,
    request.registeredBy,
    request.registeredAt,
    collected?.own.items ?? null,
    collected?.mention.items ?? null,
    collected?.leftOut ?? null,
    collected?.notReached ?? null,
    exported?.at ?? null,
    exported?.by ?? null,
    answer?.outcome ?? null,
    answer?.how ?? null,
    answer?.answeredOn ?? null,
    answer?.by ?? null,
  ];
}

/** The register as csv, a request on each line. */
export async function* registerFile(pages: AsyncIterable<readonly DataRequest[]>): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(csvLine(COLUMNS));
  for await (const page of pages) for (const request of page) yield Buffer.from(csvLine(cellsOf(request)));
}
