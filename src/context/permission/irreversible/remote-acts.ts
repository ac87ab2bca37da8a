/** What is changed elsewhere. */
export const changedNames = {
  remote: { en: 'the remote', zh: '远程仓库' },
  database: { en: 'the database', zh: '数据库' },
  cluster: { en: 'the cluster', zh: '集群' },
  service: { en: 'what is there', zh: '那里的内容' },
  cloud: { en: 'the cloud', zh: '云端资源' },
  containers: { en: 'what the containers hold', zh: '容器中的内容' },
  registry: { en: 'the registry', zh: '软件仓库' },
  host: { en: 'another machine', zh: '另一台机器' },
  system: { en: 'the system', zh: '系统' },
} as const;
export type Changed = keyof typeof changedNames;

/**
 * Programs with the words and options by which they change it: `|` parts alternatives, `*` stands for any characters, and what stands
 * after `…` may come anywhere behind.
 */
export const REMOTE_ACTS: readonly (readonly [Changed, string])[] = [
  ['remote', 'hg push --force|-f, svn delete|del|remove|rm|move|mv, gh repo delete|archive|rename, gh release delete|delete-asset'],
  [
    'service',
    `gh issue delete, gh pr merge, gh secret delete|remove, gh variable delete, gh gist delete, gh run delete, gh cache delete,
    gh label delete, gh workflow disable, gh ssh-key delete, gh codespace delete,
    glab repo delete, glab release delete, glab mr merge|delete, glab issue delete, glab ci delete, glab variable delete`,
  ],
  [
    'database',
    `dropdb, dropuser, mysqladmin drop, pg_restore --clean|-c, mongorestore --drop, rails db:drop|db:reset|db:schema:load|db:rollback|db:purge,
    rake db:drop|db:reset|db:schema:load|db:rollback|db:purge, prisma migrate reset, prisma db push --force-reset|--accept-data-loss,
    alembic downgrade, flyway clean, liquibase drop-all|rollback|rollback-count, knex migrate:rollback|migrate:down, sequelize db:drop,
    sequelize db:migrate:undo*, sequelize-cli db:drop, typeorm schema:drop|migration:revert, mix ecto.drop|ecto.reset|ecto.rollback,
    php artisan migrate:fresh|migrate:reset|migrate:refresh|migrate:rollback|db:wipe, python manage.py flush|reset_db,
    python3 manage.py flush|reset_db, supabase db reset, influx delete, influx bucket delete, etcdctl del, kafka-topics --delete,
    kafka-topics.sh --delete, rabbitmqctl reset|force_reset|delete_*|purge_queue, rabbitmqadmin delete|purge`,
  ],
  [
    'cluster',
    `kubectl delete|drain|replace|apply|patch|scale|edit, kubectl rollout undo|restart, oc delete|drain|replace|apply|patch|scale|edit,
    helm uninstall|delete|un|upgrade|rollback, helmfile destroy|apply|sync, kustomize delete, k9s delete, kind delete, minikube delete,
    k3d cluster delete, eksctl delete, flux delete|uninstall, argocd app delete|rollback|sync, nomad job stop -purge, nomad namespace delete,
    consul kv delete, vault delete, vault kv delete|destroy, vault kv metadata delete, vault secrets disable`,
  ],
  [
    'cloud',
    `terraform destroy|apply|taint, terraform state rm|mv|push, terraform workspace delete, tofu destroy|apply|taint, tofu state rm|mv|push,
    tofu workspace delete, terragrunt destroy|apply|run-all, pulumi destroy|up|update|refresh, pulumi stack rm, cdk destroy|deploy,
    sam delete|deploy, serverless remove|deploy, sls remove|deploy, aws s3 rm|rb|mv, aws s3 sync --delete,
    aws * delete-*|terminate-*|remove-*|purge-*|deregister-*|destroy-*|cancel-*|stop-*|put-*|update-*|modify-*|reset-*|reboot-*,
    gcloud … delete|remove|destroy|reset|rm|purge, gsutil rm|rb|mv, gsutil rsync -d, bq rm, az … delete|purge|remove|deallocate, doctl … delete|rm|destroy,
    s3cmd del|rm|rb|mv, mc rm|rb|mv, rclone delete|deletefile|purge|sync|move|moveto|rmdir|rmdirs|cleanup, azcopy remove|rm,
    b2 delete-*|rm, linode-cli … delete|rm, hcloud … delete, ibmcloud … delete|rm, oci … delete, vultr-cli … delete, scw … delete`,
  ],
  [
    'service',
    `heroku apps:destroy|apps:delete|destroy|pg:reset|pg:promote|pg:restore|pg:backups:restore|pg:copy|addons:destroy|config:unset|config:set|rollback|releases:rollback|ps:scale|ps:restart|restart|domains:remove|run|container:release|maintenance:on,
    fly destroy|deploy|scale, fly apps destroy, fly volumes destroy|delete, fly machine destroy, fly secrets set|unset, fly postgres detach,
    flyctl destroy|deploy|scale, flyctl apps destroy, flyctl volumes destroy|delete, flyctl machine destroy, vercel remove|rm|rollback|promote,
    vercel env rm|remove, vercel domains rm, vercel --prod, vercel deploy --prod, netlify sites:delete|env:unset, netlify deploy --prod|-p,
    firebase deploy|firestore:delete|database:remove|database:set|hosting:disable|functions:delete, wrangler delete|deploy|publish|rollback,
    wrangler kv … delete, wrangler r2 … delete, wrangler d1 delete, wrangler secret delete, railway down|delete|up, render … delete,
    supabase projects delete, supabase functions delete, supabase secrets unset, convex deploy, sentry-cli releases delete, twilio … remove`,
  ],
  [
    'containers',
    `docker rm|rmi, docker container rm|prune, docker volume rm|prune, docker image rm|prune, docker system prune, docker network rm|prune,
    docker builder prune, docker compose down --volumes|-v|--rmi, docker compose rm, docker stack rm|down, docker service rm, docker swarm leave,
    docker secret rm, docker config rm, docker-compose down --volumes|-v|--rmi, docker-compose rm, podman rm|rmi, podman container rm|prune,
    podman volume rm|prune, podman image rm|prune, podman system prune|reset, podman pod rm|prune, podman compose down --volumes|-v, podman-compose down --volumes|-v,
    nerdctl rm|rmi, nerdctl volume rm|prune, nerdctl system prune, lxc delete, incus delete, vagrant destroy, multipass delete --purge|-p,
    multipass purge, virsh undefine|destroy, limactl delete, colima delete`,
  ],
  [
    'registry',
    `npm publish|unpublish|deprecate, npm dist-tag rm|add|remove, npm owner rm|remove, npm access set|grant|revoke|public|restricted, npm hook rm, pnpm publish|unpublish|deprecate, yarn publish, yarn npm publish,
    bun publish, lerna publish, changeset publish, semantic-release, release-it, np, vsce publish|unpublish, ovsx publish, jsr publish, deno publish,
    cargo publish|yank, cargo owner --add|--remove|-a|-r, twine upload, poetry publish, uv publish, hatch publish, flit publish, pdm publish, gem push|yank,
    mix hex.publish|hex.retire, dotnet nuget push|delete, nuget push|delete, mvn deploy, goreleaser release, docker push, docker image push,
    docker compose push, podman push, skopeo delete|copy|sync, helm push, oras push|delete, crane push|delete|copy, pod trunk push|delete, snapcraft upload|release, dart pub publish, flutter pub publish`,
  ],
  [
    'host',
    'ansible -m|-a|--module-name|--args, ansible-playbook, fab, cap deploy|production, kamal deploy|remove|rollback|redeploy, salt, knife … delete, pssh, pdsh',
  ],
  [
    'system',
    `crontab -r, zfs destroy|rollback, zpool destroy|labelclear, lvremove, vgremove, pvremove, lvreduce, btrfs subvolume delete,
    mdadm --zero-superblock, cryptsetup luksFormat|erase, userdel, deluser, groupdel, parted … mklabel|mktable|mkpart|rm|resizepart, sgdisk --zap-all|-Z|--clear|-o|--delete|-d, diskutil erase*, diskutil … eraseDisk|eraseVolume,
    tmutil delete, security delete-*, gpg --delete-secret-keys|--delete-keys`,
  ],
];

/** The options of a program that take the next word, where its own words may stand behind them. */
export const VALUED: ReadonlyMap<string, string> = new Map([
  ...['kubectl', 'oc', 'helm'].map(
    (name) => [name, '-n -l -f -c --namespace --context --kubeconfig --cluster --user --kube-context -s --server'] as const,
  ),
  ...['docker', 'docker-compose', 'podman', 'nerdctl'].map(
    (name) => [name, '-H -c -l -f --host --context --log-level --file --project-name -p --profile --env-file --project-directory'] as const,
  ),
  ['aws', '--profile --region --output --endpoint-url --query --color'],
  ['gh', '-R --repo --hostname -X --method -f -F --field --raw-field --input -H --header -q --jq'],
  ['glab', '-R --repo'],
  ['gcloud', '--project --account --region --zone --format --configuration'],
  ['az', '-g -n -s --resource-group --name --subscription -o --output'],
  ['heroku', '-a --app -r --remote'],
  ['npm', '--prefix -w --workspace --registry --tag --otp'],
  ['pnpm', '-C --dir --filter -F --registry'],
  ['cargo', '--manifest-path -p --package'],
  ['ansible', '-i -m -a -u -l --module-name --args'],
  ['fly', '-a --app -c --config'],
  ['flyctl', '-a --app -c --config'],
  ['vercel', '-t --token -S --scope --cwd'],
  ['mvn', '-f --file -P'],
  ['rails', '-e'],
]);

/** Statements and calls that take away what a database holds. */
const OBJECTS: ReadonlySet<string> = new Set(
  'table database schema view index user role collection keyspace column materialized sequence partition'.split(' '),
);
const METHODS: ReadonlySet<string> = new Set('dropdatabase drop deletemany deleteone remove findoneanddelete updatemany'.split(' '));

/** True for a text in which a statement of SQL, or a call as MongoDB's shell takes it, deletes or overwrites. */
export const destroysRecords = (text: string): boolean => text.split(';').some(isDestroying);

function isDestroying(statement: string): boolean {
  const words = withoutComments(statement)
    .toLowerCase()
    .split(/[^\w.$]+/)
    .filter((word) => word !== '');
  const [first = ''] = words;
  switch (first) {
    case 'drop':
    case 'truncate':
      return true;
    case 'update':
      return words.includes('set');
    case 'delete':
    case 'with':
      return words.some((word, at) => word === 'delete' && words[at + 1] === 'from');
    case 'alter':
      return words.some((word, at) => word === 'drop' && OBJECTS.has(words[at + 1] ?? ''));
    default:
      return callsMethod(statement);
  }
}

/** `db.users.deleteMany({})` */
function callsMethod(statement: string): boolean {
  const pieces = statement.toLowerCase().split('(');
  return /\bdb\b/.test(statement) && pieces.some((piece) => METHODS.has(piece.slice(piece.lastIndexOf('.') + 1).trim()));
}

const withoutComments = (statement: string): string => statement.replace(/--[^\n]*/g, ' ').replace(/^\s*\\\w+\s*/, '');
