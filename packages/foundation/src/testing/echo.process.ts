import { answerQuestions } from '../killable-process.ts';

const filled: number[][] = [];

/** Does what it is asked to, however bad. */
const deeds: Readonly<Record<string, () => string>> = {
  pid: () => String(process.pid),
  environment: () => [process.argv[2], ...Object.keys(process.env)].join(' '),
  throw() {
    throw new Error('not like this');
  },
  exits: () => process.exit(3),
  fills() {
    for (;;) filled.push(Array.from({ length: 100_000 }, (_, at) => at));
  },
  spins() {
    for (;;);
  },
};

answerQuestions(async ({ does }: { readonly does: string }) => Promise.resolve(deeds[does]?.() ?? ''));
