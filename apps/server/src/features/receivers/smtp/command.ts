/** A line of a client, as far as it makes sense. */
export interface Command {
  readonly verb: string;
  /** Of MAIL and RCPT; empty for the sender of a report of failure. Undefined where there is none. */
  readonly address: string | undefined;
  readonly parameters: ReadonlyMap<string, string>;
}

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

/** `FROM:<a@b> SIZE=10`: what is between the brackets, and what follows. A quoted part may hold a bracket. */
function pathOf(text: string): Pick<Command, 'address' | 'parameters'> {
  const from = text.indexOf('<');
  const at = text.lastIndexOf('@');
  const to = text.indexOf('>', Math.max(from, at));
  if (from < 0 || to < 0) return { address: undefined, parameters: NO_PARAMETERS };
  const parameters = new Map<string, string>();
  for (const word of text.slice(to + 1).split(' ')) {
    const [name = '', value = ''] = word.split('=', 2);
    if (name !== '') parameters.set(name.toUpperCase(), value);
  }
  return { address: text.slice(from + 1, to), parameters };
}

export function readCommand(line: string): Command {
  const text = line.trim();
  const blank = text.indexOf(' ');
  const verb = (blank < 0 ? text : text.slice(0, blank)).toUpperCase();
  const rest = blank < 0 ? '' : text.slice(blank + 1).trim();
  const wanted = verb === 'MAIL' ? 'FROM:' : verb === 'RCPT' ? 'TO:' : undefined;
  if (wanted === undefined || !rest.toUpperCase().startsWith(wanted)) return { verb, address: undefined, parameters: NO_PARAMETERS };
  return { verb, ...pathOf(rest.slice(wanted.length)) };
}
