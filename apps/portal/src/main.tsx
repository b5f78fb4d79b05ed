import './ui/base.css';
import { config } from 'zod';

// The content security policy forbids code made from strings, which zod would try for its parsers; it
// must know before the first schema is made, so everything else is loaded after this.
config({ jitless: true });
const { start } = await import('./start.tsx');
await start();
