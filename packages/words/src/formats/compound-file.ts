import CFB from 'cfb';
import { PartError } from '../part/document-part.ts';

/** The streams of an older Office file or an Outlook message. */
export interface CompoundFile {
  /** Paths without the root's name. */
  readonly paths: readonly string[];
  read(path: string): Buffer | undefined;
}

export function openCompoundFile(bytes: Uint8Array): CompoundFile {
  try {
    const file = CFB.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { type: 'buffer' });
    const [root = ''] = file.FullPaths;
    const paths = file.FullPaths.map((path) => path.slice(root.length));
    const byPath = new Map(paths.map((path, index) => [path, file.FileIndex[index]]));
    return {
      paths,
      read(path) {
        const content = byPath.get(path)?.content;
        return content === undefined ? undefined : Buffer.from(content as Uint8Array);
      },
    };
  } catch (error) {
    throw new PartError('failed', `the file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
