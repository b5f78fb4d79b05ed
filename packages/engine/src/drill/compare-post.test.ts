import { sha256Hex } from '@holdfast/foundation/bytes';
import { graphError, type GraphClient } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { anItem } from '../../testing/builders.ts';
import type { Content, ItemVersion, JsonObject } from '../ports/item.ts';
import type { RestoreLine } from '../restore/request.ts';
import { createPostComparison } from './compare-post.ts';

const FOLDER = 'Drill 1';
const AT = '2026-03-01T08:00:00.000Z';
const ID = String(Date.parse(AT));

interface Said {
  readonly id?: string;
  readonly from?: object | null;
  readonly content?: string | null;
  readonly replies?: readonly object[] | null;
}

const message = ({ id = ID, from = { user: { id: 'ada' } }, content = '<p>Hello</p>', ...rest }: Said = {}) => ({
  id,
  createdDateTime: AT,
  from,
  body: content === null ? null : { contentType: 'html', content },
  ...rest,
});

/** A team with channels of the drill and one of the people's own, and the pictures that it has. */
function aTeam(channels: Readonly<Record<string, readonly object[]>>, pictures: Readonly<Record<string, string | Error>> = {}) {
  const graph = {
    directory: {
      async *users() {
        yield { id: 'ada', displayName: 'Ada', accountEnabled: true };
      },
    },
    teams: {
      async *channels() {
        for (const id of Object.keys(channels)) yield { id, displayName: id === 'own' ? 'General' : `General ${FOLDER}` };
        yield { id: 'nameless', displayName: null };
      },
      async *messages({ channelId }: { readonly channelId: string }) {
        yield* channels[channelId] ?? [];
      },
      hostedContent: (_ref: object, id: string) => {
        const found = pictures[id] ?? graphError('graph.item-gone');
        async function* bytes() {
          if (typeof found !== 'string') throw found;
          yield Buffer.from(found);
        }
        return { bytes: bytes() };
      },
    },
  };
  return createPostComparison({ graph: graph as unknown as GraphClient, teamId: 't', folder: FOLDER });
}

function aPost(properties: JsonObject = {}, pictures: readonly string[] = []): ItemVersion {
  const contents = pictures.map((bytes) => ({ role: 'hosted', ref: { sha256: sha256Hex(Buffer.from(bytes)) } }) as unknown as Content);
  const said = { from: { user: { id: 'ada' } }, body: { contentType: 'html', content: '<p>Hello</p>' }, ...properties };
  return anItem('post:c:1', { kind: 'post', parentKey: 'channel:c', createdAt: AT, properties: said, contents });
}

const line = (differences: readonly string[] = [], targetId = ID): RestoreLine => ({
  key: 'post:c:1',
  kind: 'post',
  path: '',
  outcome: 'restored',
  targetId,
  differences,
});
const none = (): undefined => undefined;

describe('the copy of a post', () => {
  it('is looked for in the channels of the drill alone', async () => {
    expect(await aTeam({ drill: [message()] })(aPost(), line(), none)).toEqual([]);
    expect(await aTeam({ own: [message()] })(aPost(), line(), none)).toEqual(['content']);
    expect(await aTeam({ drill: [message()] })(aPost(), line([], 'another'), none)).toEqual(['content']);
  });

  it('is the one that says it, where two channels have a message of that moment', async () => {
    const both = { first: [message({ content: '<p>Other</p>', from: { user: { id: 'bo' } } })], second: [message()] };
    expect(await aTeam(both)(aPost(), line(), none)).toEqual([]);
    expect(await aTeam({ first: both.first })(aPost(), line(), none)).toEqual(['from', 'content']);
  });

  it('has the name of an author who could not be its author, of an app too', async () => {
    const by = (name: string) => aTeam({ drill: [message({ content: `<p><b>${name}</b></p><p>Hello</p>` })] });
    const app = aPost({ from: { application: { id: 'app', displayName: 'Build server' } } });
    expect(await by('Build server')(app, line(['from']), none)).toEqual([]);
    expect(await by('?')(aPost({ from: {} }), line(['from']), none)).toEqual([]);
    expect(await by('Somebody')(app, line(['from']), none)).toEqual(['content']);
    expect(await by('Build server')(app, line(), none), 'that nobody has told of').toEqual(['from', 'content']);
  });

  it('has the words of a text, the names of files and who reacted, and nothing else', async () => {
    const said = {
      body: { contentType: 'text', content: 'a < b' },
      attachments: [{ name: 'Plan.docx' }, { contentType: 'reference' }, {}],
      reactions: [
        { reactionType: 'like', user: { user: { id: 'ada', displayName: null } } },
        { reactionType: 'sad', user: { user: {} } },
      ],
    };
    const whole = 'a &lt; b<p>Plan.docx<br>reference<br>attachment</p><p>[like Ada, sad]</p>';
    const of = (content: string) => aTeam({ drill: [message({ content })] })(aPost(said), line(), none);
    expect(await of(whole)).toEqual([]);
    expect(await of(whole.replace('like Ada, ', ''))).toEqual(['content']);
    expect(await of(`${whole}<p>More</p>`)).toEqual(['content']);
    expect(await aTeam({ drill: [message({ content: null })] })(aPost({ body: {} }), line(), none)).toEqual([]);
    expect(await aTeam({ drill: [message({ content: null })] })(aPost(), line(), none)).toEqual(['content']);
  });

  it('shows the same pictures, as many of them, unless they were too large to come along', async () => {
    const shown = (...ids: readonly string[]) => `<p>Hello</p>${ids.map((id) => `<img src="x/hostedContents/${id}/$value">`).join('')}`;
    const team = (content: string) => aTeam({ drill: [message({ content })] }, { a: 'one', b: 'two' });
    expect(await team(shown('b', 'a'))(aPost({}, ['one', 'two']), line(), none)).toEqual([]);
    expect(await team(shown('a'))(aPost({}, ['one', 'two']), line(), none)).toEqual(['hostedContents']);
    expect(await team(shown('a'))(aPost({}, ['one', 'two']), line(['hostedContents']), none)).toEqual([]);
    expect(await team(shown('a', 'lost'))(aPost({}, ['one', 'two']), line(), none)).toEqual(['hostedContents']);
    const refused = aTeam({ drill: [message({ content: shown('c') })] }, { c: graphError('graph.service-fault') });
    await expect(refused(aPost({}, ['one']), line(), none)).rejects.toMatchObject({ code: 'graph.service-fault' });
  });
});

it('the copy of an answer stands under the copy of what it answers', async () => {
  const reply = anItem('reply:c:1:2', { ...aPost(), key: 'reply:c:1:2', kind: 'reply', parentKey: 'post:c:1' });
  const team = (root: string) => aTeam({ drill: [message({ id: root, replies: [message()] }), message({ id: 'bare', replies: null })] });
  const lineOf = (key: string) => (key === 'post:c:1' ? line([], 'root') : undefined);
  expect(await team('root')(reply, line(), lineOf)).toEqual([]);
  expect(await team('another')(reply, line(), lineOf)).toEqual(['content']);
});
