import type { Logger } from '@holdfast/foundation/logger';
import { AppError } from '@holdfast/foundation/errors';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Config } from '../settings/config.ts';

/** What a command of the console works with. */
export interface CommandContext {
  readonly config: Config;
  readonly logger: Logger;
  readonly print: (line: string) => void;
  /** Worker threads of a vault; as many as there are cores unless told otherwise. */
  readonly threads?: number;
}

/** A command of the console. One file each. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Names of options that take a value, with what they mean. */
  readonly options: Readonly<Record<string, string>>;
  /** The one value that is given without an option's name before it. */
  readonly argument?: string;
  /** Answers the exit code of the process where that is not 0. */
  run(context: CommandContext, given: Readonly<Record<string, string | undefined>>): Promise<number | void>;
}

/** Exit code of a command that did what it could: something is damaged and was named, all the rest was given. */
export const INCOMPLETE = 4;

/** The options of a command line; an unknown one, or one without a value, is told of by name. */
export function readOptions(command: Command, args: readonly string[]): Record<string, string | undefined> {
  const options = Object.fromEntries(Object.keys(command.options).map((name) => [name, { type: 'string' as const }]));
  try {
    const { argument } = command;
    const { values, positionals } = parseArgs({ args: [...args], options, strict: true, allowPositionals: argument !== undefined });
    if (positionals.length > 1) throw new TypeError(`Only one ${argument ?? 'value'} can be given.`);
    return argument === undefined || positionals[0] === undefined ? values : { ...values, [argument]: positionals[0] };
  } catch (cause) {
    throw new AppError('admin.bad-option', { message: cause instanceof Error ? cause.message : 'An option is not known.', cause });
  }
}

/** An option that must be there. */
export function required(given: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = given[name];
  if (value === undefined || value === '') throw new AppError('admin.bad-option', { message: `--${name} is missing.` });
  return value;
}

/** A number with what it counts: `1 file`, `2 files`. */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** A secret from a file: never an argument, which other users of the machine could read. */
export async function secretFrom(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
}
