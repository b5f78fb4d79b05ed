import { spawn } from 'node:child_process';

export interface Measured {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
  readonly output: string;
}

/** Runs a program under GNU time; `undefined` when the program is not installed. Throws when it fails. */
export function measureProcess(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<Measured | undefined> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn('/usr/bin/time', ['-f', 'bench-time %U %S %M', command, ...args], { env: { ...process.env, ...env } });
    let output = '';
    let errors = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => {
      if (code === 127) {
        resolve(undefined);
        return;
      }
      const [, user = '0', system = '0', peak = '0'] = /bench-time ([\d.]+) ([\d.]+) (\d+)/.exec(errors) ?? [];
      if (code !== 0) reject(new Error(`${command} ${args.join(' ')} ended with ${code}: ${errors}`));
      else {
        resolve({
          seconds: (performance.now() - startMs) / 1000,
          cpuSeconds: Number(user) + Number(system),
          peakMegabytes: Number(peak) / 1024,
          output,
        });
      }
    });
  });
}
