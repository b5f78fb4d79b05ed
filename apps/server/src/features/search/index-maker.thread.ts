import { parentPort } from 'node:worker_threads';
import type { ItemWords } from '@holdfast/engine';
import { answerCalls } from '@holdfast/foundation/thread-calls';
import { madeOfWords } from './made-of-words.ts';

answerCalls<ItemWords>(parentPort, (words) => ({ result: madeOfWords(words), transfer: [] }));
