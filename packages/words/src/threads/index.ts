export { hashSentences, sentencesOf, WORDS_PER_SENTENCE, type Sentence, type SentenceHashes } from './sentences.ts';
export { groupThreads, plainSubject, type ThreadMail } from './group-threads.ts';
export { readLess, type ThreadPlace, type ThreadRole } from './read-less.ts';
export { likeness, nearCopies, shinglesOf, type NearCopy, type Shingles } from './near-copies.ts';
