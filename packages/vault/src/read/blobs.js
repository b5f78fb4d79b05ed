import { vaultError } from '../errors.ts';
const PIECES_AT_ONCE = 256;
function parseList(blobId, data) {
  try {
    const value = JSON.parse(data.toString('utf8'));
    if (Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw vaultError('vault.damaged', `Blob ${blobId} is not a list of pieces.`, { blobId });
}
/** `lookAgain` brings the index in line with the packs: another process may have written some since. */
export function createBlobReader(options) {
  const { keys, index, frames } = options;
  async function locate(blobIds) {
    const places = await index.find(blobIds);
    if (!places.includes(undefined)) return places;
    await options.lookAgain();
    return index.find(blobIds);
  }
  async function find(blobIds) {
    return (await locate(blobIds)).map((place, at) => {
      if (!place) throw vaultError('vault.blob-missing', `No pack has blob ${blobIds[at] ?? ''}.`, { blobId: blobIds[at] });
      return place;
    });
  }
  async function at(blobId, place, signal) {
    const plain = await frames.get(place, signal);
    const blob = plain.subarray(place.blobOffset, place.blobOffset + place.blobLength);
    if (keys.blobId(blob).toString('hex') !== blobId) {
      throw vaultError('vault.damaged', `Blob ${blobId} is not what its id says.`, { blobId, packId: place.packId });
    }
    return blob;
  }
  async function read(blobId, signal) {
    const [place] = await find([blobId]);
    return at(blobId, place, signal);
  }
  async function* pieces(content) {
    if (content.depth === 0) {
      yield* content.pieces;
      return;
    }
    for (const [blobId] of content.pieces) {
      yield* pieces({ depth: content.depth - 1, pieces: parseList(blobId, await read(blobId)) });
    }
  }
  return { read, at, find, locate, pieces };
}
/** The pieces in groups, for questions that are cheaper asked together. */
export async function* inGroups(pieces) {
  let group = [];
  for await (const piece of pieces) {
    group.push(piece);
    if (group.length < PIECES_AT_ONCE) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
