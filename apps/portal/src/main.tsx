import './ui/base.css';
import { config } from 'zod';

// The content security policy forbids code made from strings, which zod would try for its parsers; it
// must know before the first schema is made, so everything else is loaded after this.
config({ jitless: true });

// Who was signed in sees the frame and its words next: they come while the start runs. The router asks for them again,
// and tells when they can't be had.
if (localStorage.getItem('user') !== null) {
  void Promise.allSettled([import('./app/shell/shell.tsx'), import('@holdfast/phrases/en')]);
  if (['/', '/dashboard'].includes(globalThis.location.pathname)) import('./features/dashboard/overview-page.tsx').catch(() => undefined);
}

const { start } = await import('./start.tsx');
await start();
