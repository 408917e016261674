import { Breadcrumb, BreadcrumbItem } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';
import { useGo, usePathname } from '../../base/address';
import { Loading } from '../../base/Loading';
import { PageHead } from '../../base/PageHead';
import { PageLink } from '../../base/PageLink';
import { useGoOn } from '../../base/presence';
import { ReasonedButton } from '../../base/ReasonedButton';
import { at, below, isAction, mayBeAbsent, useDeclarations } from '../../declarations/declarations';
import { settable } from '../../declarations/fields';
import { resourceTitle } from '../../declarations/labels';
import { nameIn } from '../../declarations/names';
import { childPage, collectionPage, objectPage, type Place } from '../../declarations/place';
import { useDisabledReason, useMayRead } from '../../session/useSession';
import { ActionButtons } from '../action/ActionButtons';
import { DeleteDialog } from '../action/DeleteDialog';
import { CreateButton } from '../CreateButton';
import { usePresentation } from '../presentation';
import { parentOf, recordQuery } from '../record';
import { State } from '../State';

interface Props {
  /** The object itself, or a collection below it. */
  place?: Place;
  below?: Place;
  children: ReactNode;
}

/** What is around all pages of one object: its name, its state, what can be done, and its parts. */
export function ObjectFrame({ place: own, below: collection, children }: Props) {
  const declarations = useDeclarations();
  const pathname = usePathname();
  const place = own ?? parentOf(declarations, pathname);
  if (!place) return children;
  return (
    <div className="page">
      <Head place={place} shown={collection} />
      {children}
    </div>
  );
}

function Head({ place, shown }: { place: Place; shown: Place | undefined }) {
  const { t } = useTranslation();
  const go = useGo();
  const goOn = useGoOn();
  const pathname = usePathname();
  const reason = useDisabledReason();
  const mayRead = useMayRead();
  const declarations = useDeclarations();
  const [deleting, setDeleting] = useState(false);
  const { data: record = {}, isSuccess: isLoaded, isPending } = useQuery(recordQuery(place));
  const { resource } = place;
  const title = resourceTitle(t, resource.path);
  const own = objectPage(resource, place.keys);
  const above = parentOf(declarations, own);
  const children = below(declarations.resources, resource).filter((child) => mayRead(child.path));
  const state = at(record, 'state') ?? at(record, 'status.state');
  const { title: told } = usePresentation(resource.path);
  const heading = told?.(t, declarations, record) ?? nameIn(record);
  const name = resource.single ? title : heading || Object.values(place.keys).at(-1)!;

  return (
    <>
      <PageHead
        title={name}
        {...(resource.single && { help: resource.doc })}
        above={
          !resource.single && (
            <Breadcrumb aria-label={t('Where this is')}>
              {above && (
                <BreadcrumbItem>
                  <PageLink to={objectPage(above.resource, above.keys)}>
                    <ParentName place={above} />
                  </PageLink>
                </BreadcrumbItem>
              )}
              <BreadcrumbItem>
                <PageLink to={collectionPage(resource, place.keys)}>{title}</PageLink>
              </BreadcrumbItem>
            </Breadcrumb>
          )
        }
        aside={
          typeof state === 'string' && (
            <State value={state} isJob={resource.path === 'cluster/jobs'} />
          )
        }
      >
        {isPending && <Loading isLine />}
        {resource.single && !mayBeAbsent(resource) && <CreateButton place={place} />}
        {isLoaded && <ActionButtons place={place} records={[record]} />}
        {resource.methods.includes('PATCH') && settable(resource, 'modify').length > 0 && (
          <ReasonedButton
            variant="secondary"
            reason={reason('PATCH', place.api)}
            onClick={() => go(`${own}/~edit`)}
          >
            {t('Edit')}
          </ReasonedButton>
        )}
        {resource.methods.includes('DELETE') && (
          <ReasonedButton
            variant="secondary"
            isDanger
            reason={reason('DELETE', place.api)}
            onClick={() => setDeleting(true)}
          >
            {t('Delete')}
          </ReasonedButton>
        )}
      </PageHead>
      {children.length > 0 && (
        <nav className="parts" aria-label={t('Parts')}>
          <PageLink to={own} aria-current={pathname === own ? 'page' : undefined}>
            {t('Overview')}
          </PageLink>
          {children.map((child) => (
            <PageLink
              key={child.path}
              to={childPage(place, child)}
              aria-current={child.path === shown?.resource.path ? 'page' : undefined}
            >
              {isAction(child) ? `${resourceTitle(t, child.path)} …` : resourceTitle(t, child.path)}
            </PageLink>
          ))}
        </nav>
      )}
      {deleting && (
        <DeleteDialog
          place={place}
          records={[record as Json]}
          onClose={(done) => {
            setDeleting(false);
            if (done) goOn(collectionPage(resource, place.keys));
          }}
        />
      )}
    </>
  );
}

function ParentName({ place }: { place: Place }) {
  const { data, isPending } = useQuery(recordQuery(place));
  if (isPending) return <Loading isLine />;
  return <>{data ? nameIn(data) : '…'}</>;
}
