import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { call, type Json, type Page } from '../../api/client';
import { useGo, useParameters } from '../../base/address';
import { Loading } from '../../base/Loading';
import { PageHead } from '../../base/PageHead';
import { useGoOn } from '../../base/presence';
import { useChange } from '../../changes/change';
import { nested, type Node } from '../../declarations/declarations';
import { settable } from '../../declarations/fields';
import { resourceNoun } from '../../declarations/labels';
import { nameIn } from '../../declarations/names';
import { collectionPage, objectPage, type Place } from '../../declarations/place';
import { usePresentation } from '../presentation';
import { recordQuery } from '../record';
import { isFormOption } from './options';
import { ResourceForm } from './ResourceForm';
import { ShownOnce } from './ShownOnce';
import { typedAll, type Values } from './values';

/** The form that creates an object, or changes one. */
export function FormPage({ place }: { place: Place }) {
  return place.form === 'edit' ? <Edit place={place} /> : <Create place={place} />;
}

function Create({ place }: { place: Place }) {
  const { t } = useTranslation();
  const go = useGo();
  const goOn = useGoOn();
  const change = useChange();
  const [parameters] = useParameters();
  const [created, setCreated] = useState<Json>();
  const { resource, collection } = place;
  const what = resourceNoun(t, resource.path);
  const nodes = settable(resource, 'create');
  const { suggestion, linked } = usePresentation(resource.path);
  const suggested = useQuery({
    queryKey: ['suggestion', collection],
    enabled: Boolean(suggestion),
    staleTime: 0,
    queryFn: async () =>
      (await call<Page>('GET', collection, { ...suggestion!.query, fields: '*' })).records[0] ??
      null,
  });
  const record = suggested.data ?? undefined;
  const isSuggested = ({ name }: Node) => suggestion?.fields.includes(name);
  const isLinked = ({ name }: Node) => linked?.includes(name);
  const initial = {
    ...(record && typedAll(nodes.filter(isSuggested), record)),
    ...defaults(nodes),
    ...fromAddress(nodes.filter(isLinked), parameters),
  };
  // A form that lacked something comes back to itself.
  const back = parameters.get('back') ?? '';
  const list = /^\/(?!\/)/.test(back) ? back : collectionPage(resource, place.keys);
  if (created) return <ShownOnce resource={resource} record={created} onClose={() => go(list)} />;
  return (
    <div className="page">
      <PageHead title={t('Create {{what}}', { what })} help={resource.doc} />
      {suggestion && suggested.isSuccess && <suggestion.note record={record} />}
      {suggestion && suggested.isPending && <Loading />}
      {(!suggestion || !suggested.isPending) && (
        <ResourceForm
          resource={resource}
          nodes={nodes}
          options={(resource.options ?? []).filter(isFormOption)}
          method="POST"
          path={collection}
          initial={initial}
          submit={t('Create {{what}}', { what })}
          onCancel={() => go(list)}
          onSubmit={async (body, query) => {
            const name = String(body['name'] ?? '');
            const text = t('Create {{what}}', { what: `${what} ${name}`.trim() });
            const answer = await change({
              method: 'POST',
              path: collection,
              query,
              body: nested(body),
              text,
            });
            const [record] = (answer['records'] ?? []) as Json[];
            if (resource.answer && record) setCreated(record);
            else goOn(list);
          }}
        />
      )}
    </div>
  );
}

/** The values that fields have unless they are changed. */
function defaults(nodes: readonly Node[]): Values {
  return Object.fromEntries(
    nodes
      .filter((node) => node.default !== undefined)
      .map((node) => [
        node.name,
        node.kind === 'boolean' ? Boolean(node.default) : String(node.default),
      ]),
  );
}

/** The values that the address of the form says. */
function fromAddress(nodes: readonly Node[], parameters: URLSearchParams): Values {
  return Object.fromEntries(
    nodes
      .filter(({ name }) => parameters.has(name))
      .map(({ name, kind }) => {
        const text = parameters.get(name)!;
        return [name, kind === 'reference' ? { name: text } : text];
      }),
  );
}

function Edit({ place }: { place: Place }) {
  const { data: record } = useQuery({ ...recordQuery(place), refetchInterval: false });
  return record ? <Editing place={place} record={record} /> : <Loading />;
}

function Editing({ place, record }: { place: Place; record: Json }) {
  const { t } = useTranslation();
  const go = useGo();
  const goOn = useGoOn();
  const change = useChange();
  const { resource, api } = place;
  const nodes = settable(resource, 'modify');
  // As it was when the form was opened: changes of others meanwhile are no change of this form.
  const [before] = useState(() => typedAll(nodes, record));
  const page = objectPage(resource, place.keys);
  const what = `${resourceNoun(t, resource.path)} ${resource.single ? '' : nameIn(record)}`.trim();
  return (
    <div className="page">
      <PageHead title={t('Edit {{what}}', { what })} />
      <ResourceForm
        resource={resource}
        nodes={nodes}
        options={(resource.options ?? []).filter(isFormOption)}
        method="PATCH"
        path={api}
        record={record}
        initial={before}
        submit={t('Save')}
        onCancel={() => go(page)}
        onSubmit={async (body: Json, query) => {
          const text = t('Change {{what}}', { what });
          await change({ method: 'PATCH', path: api, query, body: nested(body), text });
          goOn(page);
        }}
      />
    </div>
  );
}
