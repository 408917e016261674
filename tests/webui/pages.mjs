/** Which pages there are, as the array declares them. */

/** Return the array's answer to a request in a page's own session. */
export async function ask(page, path) {
  const response = await page.context().request.get(new URL(`/api/${path}`, page.url()).href, {
    headers: { Accept: 'application/json' },
  });
  if (!response.ok()) throw new Error(`${path}: ${response.status()}`);
  return response.json();
}

export async function declarations(page) {
  return (await ask(page, 'declarations.json')).resources;
}

const at = (record, name) => name.split('.').reduce((value, part) => value?.[part], record);
const escaped = (key) => encodeURIComponent(key).replaceAll('~', '%7E').replaceAll('%', '~');

/** Return the pages of every resource: its list, its first object, and its forms. */
export async function allPages(page) {
  const found = [
    '/',
    '/provision',
    '/performance',
    '/setup',
    '/hosts',
    '/hosts?view=table',
    '/licences',
    '/account/password',
    '/system/update',
  ];
  const all = await declarations(page);
  for (const resource of all) {
    const places = await placesOf(page, all, resource.path.split('/'));
    if (!places.length) continue;
    const [{ api, address }] = places;
    if (!resource.methods.includes('GET')) {
      found.push(address);
      continue;
    }
    found.push(address);
    if (resource.methods.includes('POST')) found.push(`${address}/~new`);
    if (resource.path.endsWith('/metrics') || resource.path === 'cluster/metrics') continue;
    const own = resource.single ? [] : keysOf(resource);
    if (!resource.single) {
      const { records } = await ask(page, `${api}?max_records=1`);
      if (!records.length) continue;
      const object = [address, ...own.map((key) => escaped(String(at(records[0], key))))].join('/');
      found.push(object);
      if (resource.methods.includes('PATCH')) found.push(`${object}/~edit`);
    } else if (resource.methods.includes('PATCH')) found.push(`${address}/~edit`);
  }
  return found;
}

const keysOf = ({ path, keys = [] }) => keys.filter((key) => !path.includes(`{${key}}`));

/** Return the first place of a collection that may be below objects of others. */
async function placesOf(page, all, pattern) {
  const parts = [];
  let record;
  let own = [];
  for (const [index, part] of pattern.entries()) {
    if (!part.startsWith('{')) {
      parts.push(part);
      own = [];
      continue;
    }
    if (!own.length) {
      const above = pattern.slice(0, index).join('/');
      const resource = all.find(({ path }) => path === above);
      const api = parts.map((each) => encodeURIComponent(decoded(each))).join('/');
      // Collections below an object have entries below a furnished one, which is the last.
      const { records } = await ask(page, `${api}?max_records=1`);
      if (!records.length) return [];
      [record] = records;
      own = keysOf(resource);
    }
    parts.push(escaped(String(at(record, own.shift()))));
  }
  const api = parts.map((each) => encodeURIComponent(decoded(each))).join('/');
  return [{ api, address: `/${parts.join('/')}` }];
}

const decoded = (part) => decodeURIComponent(part.replaceAll('~', '%'));

/** Return the pages with components of their own, and some of the others. */
export async function ownPages(page) {
  const first = async (path) => (await ask(page, `${path}?max_records=1`)).records[0].uuid;
  const [lun, volume] = [await first('storage/luns'), await first('storage/volumes')];
  const aggregate = await first('storage/aggregates');
  const [node, certificate] = [await first('cluster/nodes'), await first('security/certificates')];
  return [
    '/',
    '/performance',
    '/hosts',
    '/hosts?view=table',
    '/system/update',
    '/provision',
    '/setup',
    '/storage/volumes',
    '/storage/volumes/~new',
    `/storage/volumes/${volume}`,
    '/storage/luns',
    `/storage/luns/${lun}`,
    '/storage/namespaces',
    '/storage/aggregates',
    `/storage/aggregates/${aggregate}`,
    '/storage/disks',
    '/storage/disks/1.0.1',
    `/cluster/nodes/${node}`,
    `/security/certificates/${certificate}`,
    '/protocols/san/igroups/~new',
    '/support/ems/events',
    '/nowhere',
  ];
}
