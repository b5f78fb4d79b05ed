import { constants, setPriority } from 'node:os';
import { answerQuestions, guardMemory } from '@holdfast/foundation/killable-process';
import { openRecogniser, type Recogniser } from './recogniser.ts';

/** The recognising side, in a process of its own. Its languages are loaded once. */
// Nobody waits for it: it takes what the others leave of the processor.
setPriority(constants.priority.PRIORITY_LOW);
guardMemory(Number(process.argv[2]));
let recogniser: Promise<Recogniser> | undefined;
answerQuestions(async (picture: Uint8Array) => (await (recogniser ??= openRecogniser())).read(picture));
