import dns from 'node:dns';
import { onTestFinished } from 'vitest';

type Answer = (error: NodeJS.ErrnoException | null, address?: string | dns.LookupAddress[], family?: number) => void;

/** Looks up names of this machine until the test has ended, and fails to while `areLost`: what a DNS server does that is away. */
export function lookUpLocally(...names: readonly string[]): { areLost: boolean } {
  const state = { areLost: false };
  const real = dns.lookup;
  const local = (name: string, options: dns.LookupOptions, answer: Answer): void => {
    if (!names.includes(name)) {
      (real as (...given: unknown[]) => void)(name, options, answer);
      return;
    }
    const failure = Object.assign(new Error(`getaddrinfo EAI_AGAIN ${name}`), { code: 'EAI_AGAIN', syscall: 'getaddrinfo' });
    process.nextTick(() => {
      if (state.areLost) answer(failure);
      else if (options.all) answer(null, [{ address: '127.0.0.1', family: 4 }]);
      else answer(null, '127.0.0.1', 4);
    });
  };
  Object.assign(dns, { lookup: local });
  onTestFinished(() => void Object.assign(dns, { lookup: real }));
  return state;
}
