import type { Token as AnyToken } from 'markdown-it';

/** A way to do something on the array; a block may show another text than its source. */
interface Way {
  title: string;
  shown: (content: string) => string;
}

const asIs = (content: string) => content;

/** The ways, by the word after the fence of their blocks. Tests run the blocks. */
export const WAYS: Record<string, Way> = {
  gui: { title: 'Web interface', shown: asIs },
  shell: { title: 'Shell', shown: asIs },
  rest: { title: 'REST', shown: asCurl },
  ansible: { title: 'Ansible', shown: asIs },
};

const isWay = (token: AnyToken) => token.type === 'fence' && token.info.trim() in WAYS;

/** Puts blocks of ways that follow each other into one element, which the page turns into tabs. */
export function grouped(tokens: AnyToken[], Token: typeof AnyToken): void {
  const html = (content: string) => Object.assign(new Token('html_block', '', 0), { content });
  const result: AnyToken[] = [];
  tokens.forEach((token, at) => {
    if (!isWay(token)) {
      result.push(token);
      return;
    }
    const way = token.info.trim();
    const { title } = WAYS[way]!;
    if (!isWay(tokens[at - 1] ?? token) || at === 0) result.push(html('<div class="ways">'));
    result.push(
      html(`<div class="way" data-way="${way}"><p class="way-title">${title}</p>`),
      token,
    );
    result.push(html('</div>'));
    if (!tokens[at + 1] || !isWay(tokens[at + 1]!)) result.push(html('</div>'));
  });
  tokens.splice(0, tokens.length, ...result);
}

/**
 * Returns requests as commands for curl.
 *
 * A request is a line with method and path, and below it its body. `{storage/volumes:vol1}` in a path
 * stands for the UUID of that volume.
 */
function asCurl(content: string): string {
  return content
    .trim()
    .split(/\n\n+/)
    .map((request) => {
      const [first, ...body] = request.split('\n');
      const [method, path] = first!.split(' ');
      const url = `https://$ARRAY${path!.replace(/{[^}:]*:([^}]*)}/g, '<UUID of $1>')}`;
      const json = body.length ? ` --json '${body.join('\n').replaceAll("'", "'\\''")}'` : '';
      const plain = (method === 'GET' && !json) || (method === 'POST' && json);
      return `curl -u admin${plain ? '' : ` -X ${method}`}${json} \\\n  '${url}'`;
    })
    .join('\n\n');
}
