/** Lines of the log for somebody who reads them in a terminal; whatever collects logs gets them as they are. */

const LEVELS: Readonly<Record<number, string>> = { 40: 'warning: ', 50: 'error: ', 60: 'fatal: ' };
/** Shown elsewhere in the line, or of use only to programs. */
const NOT_REPEATED = new Set(['time', 'level', 'msg', 'event', 'err', 'code', 'reqId']);

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(line: string): Fields | undefined {
  try {
    const fields: unknown = JSON.parse(line);
    return typeof fields === 'object' && fields !== null && 'msg' in fields ? fields : undefined;
  } catch {
    return undefined;
  }
}

/** The reason without its stack: a code that has a sentence in the portal, or else what the error says. */
function reasonOf({ code, err }: Fields): string {
  if (typeof code === 'string') return ` (${code})`;
  const message = typeof err === 'object' && err !== null && 'message' in err ? err.message : undefined;
  return typeof message === 'string' ? `: ${message}` : '';
}

/** `15:48:14  run started · runId 01a2… · workload exchange`; what is no line of the log stays as it is. */
export function readableLine(line: string): string {
  const fields = fieldsOf(line);
  if (!fields) return line;
  const time = new Date(Number(fields['time'])).toTimeString().slice(0, 8);
  const level = LEVELS[Number(fields['level'])] ?? '';
  const rest = Object.entries(fields)
    .filter(([name, value]) => !NOT_REPEATED.has(name) && ['string', 'number'].includes(typeof value))
    .map(([name, value]) => ` · ${name} ${String(value)}`);
  return `${time}  ${level}${String(fields['msg'])}${reasonOf(fields)}${rest.join('')}`;
}
