import { AnsweredOtherwise, NotAsked } from './probe-errors.ts';
import type { ServiceAnswer, ServiceReader } from './service-reader.ts';

/** What an answer was, in a few words. */
export function described({ status, code, message }: ServiceAnswer): string {
  const said = [code, message].filter((text) => text !== '').join(': ');
  return said === '' ? `it answered ${status}` : `it answered ${status} (${said})`;
}

/** `undefined` when the answer is a refusal with this status and one of these codes. */
export function unlessRefused(answer: ServiceAnswer, status: number, codes: readonly string[]): string | undefined {
  const isCode = codes.some((code) => code.toLowerCase() === answer.code.toLowerCase());
  return answer.status === status && isCode ? undefined : described(answer);
}

export function unlessOk(answer: ServiceAnswer): string | undefined {
  return answer.status === 200 ? undefined : described(answer);
}

/** The entries of a list that was answered. Without the role, or with none, there is nothing to ask. */
export function entriesOf(answer: ServiceAnswer, what: string): readonly Readonly<Record<string, unknown>>[] {
  if (answer.status === 403) throw new NotAsked(`the application may not read ${what}`);
  const value = answer.json['value'];
  if (answer.status !== 200 || !Array.isArray(value)) throw new AnsweredOtherwise(`a list of ${what}: ${described(answer)}`);
  return value as readonly Readonly<Record<string, unknown>>[];
}

export function idOf(entry: Readonly<Record<string, unknown>> | undefined, what: string): string {
  const id = entry?.['id'];
  if (typeof id !== 'string') throw new NotAsked(`the tenant has no ${what}`);
  return encodeURIComponent(id).replaceAll('%2C', ',').replaceAll('%21', '!');
}

const SAMPLE = 20;

/** The first person for whom `path` is served: with a mailbox, with a OneDrive. */
export async function personWith(service: ServiceReader, path: string, what: string): Promise<string> {
  const users = entriesOf(await service.get(`/users?$select=id,mail,userType&$top=${SAMPLE}`), 'people');
  for (const user of users.filter((entry) => entry['mail'] && entry['userType'] !== 'Guest')) {
    const id = idOf(user, 'person');
    const { status } = await service.get(`/users/${id}${path}`);
    if (status === 200) return id;
    if (status === 403) throw new NotAsked(`the application may not read ${what}`);
  }
  throw new NotAsked(`nobody among the first ${SAMPLE} people has ${what}`);
}
