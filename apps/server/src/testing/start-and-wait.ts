import { spawn } from 'node:child_process';

/** Starts a server as `npm start` does, says its process id, and waits to be killed. */
const [, , main = ''] = process.argv;
const child = spawn(process.execPath, [main, 'all'], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], detached: true });
child.stdout?.setEncoding('utf8').on('data', (text: string) => {
  if (text.includes('"event":"ready"')) process.stdout.write(`${child.pid}\n`);
});
