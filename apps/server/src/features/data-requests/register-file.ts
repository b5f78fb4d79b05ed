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

type Cell = string | number | null;

const packageCells = ({ collected, exported }: DataRequest): readonly Cell[] => [
  ...(collected ? [collected.own.items, collected.mention.items, collected.leftOut, collected.notReached] : [null, null, null, null]),
  ...(exported ? [exported.at, exported.by] : [null, null]),
];

const answerCells = ({ answer }: DataRequest): readonly Cell[] =>
  answer ? [answer.outcome, answer.how, answer.answeredOn, answer.by] : [null, null, null, null];

function cellsOf(request: DataRequest): readonly Cell[] {
  const { kind, person, note, receivedOn, dueOn, extension, registeredBy, registeredAt } = request;
  const asked = [kind, person.name, person.address, note, receivedOn, dueOn, extension?.reason ?? null, registeredBy, registeredAt];
  return [...asked, ...packageCells(request), ...answerCells(request)];
}

/** The register as csv, a request on each line. */
export async function* registerFile(pages: AsyncIterable<readonly DataRequest[]>): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(csvLine(COLUMNS));
  for await (const page of pages) for (const request of page) yield Buffer.from(csvLine(cellsOf(request)));
}
