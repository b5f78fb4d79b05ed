import { parentPort } from 'node:worker_threads';
import type { ItemWords } from '@holdfast/engine';
import { answerCalls } from '@holdfast/foundation/thread-calls';
import { slicesOf } from './lexemes.ts';

answerCalls<ItemWords>(parentPort, (words) => ({ result: slicesOf(words), transfer: [] }));
