/**
 * From the manuals of Docker 27, kubectl 1.31, Helm 3.16, Terraform 1.9, AWS CLI 2, gcloud 500, az 2.65, gh 2.62, glab 1.48, curl 8, wget 1.24, and of
 * clients of databases. Left out is what names another server, account or key (`-s`, `--context`, `--endpoint-url`, `-H`, `--profile`, `-h`), prints
 * or takes along secrets, mounts, runs something in a container, or changes what is there: such a subcommand has to stand in the beginning.
 */
export const REMOTE = `
docker ps, docker container ls, docker container list, podman ps: -a --all -q --quiet -n= --last= -l --latest --no-trunc -s --size --format=* -f=* --filter=* none
docker images, docker image ls, docker image list, podman images: -a --all -q --quiet --no-trunc --digests --format=* -f=* --filter=* names
docker logs, docker container logs, podman logs: -f --follow -n= --tail= --since=* --until=* -t --timestamps --details names
docker inspect, docker container inspect, docker image inspect, docker volume inspect, docker network inspect, podman inspect: -f=* --format=*
  -s --size --type= names
docker volume ls, docker network ls, docker context ls, docker system df, docker version, docker info, docker search: -q --quiet --format=* -f=*
  --filter=* --no-trunc -v --verbose none
docker top, docker port, docker diff, docker container top: names
docker history, docker image history, docker stats: --no-trunc -q --quiet -H --human --no-stream -a --all --format=* names
docker build, docker image build, docker buildx build, podman build: -t=* --tag=* -f= --file= --no-cache --pull -q --quiet --target=words --progress=plain|auto|tty
  --platform= --rm --force-rm --load --check files
docker pull, docker start, docker stop, docker restart, docker rm, docker rmi, docker kill, podman rm, podman stop, podman start: !-f !--force !-v
  !--volumes names
docker compose ps, docker-compose ps, podman compose ps: -a --all -q --quiet --services --status= --format=* --no-trunc names
docker compose logs, docker-compose logs: -f --follow -n= --tail= --since=* --until=* -t --timestamps --no-color --no-log-prefix names
docker compose config, docker-compose config: -q --quiet --services --volumes --images --profiles none
docker compose images, docker compose ls, docker compose top, docker compose version, docker-compose top: -a --all -q --quiet names
docker compose build, docker-compose build: --no-cache --pull -q --quiet --progress= names
docker compose up, docker-compose up: -d --detach --build --no-build --wait --wait-timeout= --no-deps --force-recreate --no-recreate --no-start
  --abort-on-container-exit --exit-code-from=names --no-color --no-log-prefix --pull=missing|never|always -t= --timeout= --quiet-pull names
docker compose down, docker-compose down: -t= --timeout= !-v !--volumes none
docker compose start, docker compose stop, docker compose restart, docker compose pull, docker-compose start, docker-compose stop,
  docker-compose restart, docker-compose pull: -t= --timeout= -q --quiet --no-deps names
@cluster: -n=words --namespace=words
kubectl get, oc get: @cluster -A --all-namespaces -o=json|yaml|wide|name --output=json|yaml|wide|name -w --watch -l=* --selector=* --show-labels
  --show-kind --sort-by=* --field-selector=* --no-headers --ignore-not-found -L= --chunk-size= !secret !secrets resources
kubectl describe, oc describe: @cluster -A --all-namespaces -l=* --selector=* --show-events[=true|false] !secret !secrets resources
kubectl logs, oc logs: @cluster -f --follow --tail= --since= --since-time= -c=words --container=words -p --previous --timestamps --all-containers[=true|false]
  --prefix -l=* --selector=* --max-log-requests= --limit-bytes= --ignore-errors resources
kubectl top pod, kubectl top pods, kubectl top node, kubectl top nodes: @cluster -A --all-namespaces --containers -l=* --sort-by=words --no-headers resources
kubectl rollout status, kubectl rollout history: @cluster -w --watch[=true|false] --timeout= --revision= -l=* resources
kubectl events: @cluster -A --all-namespaces -w --watch --for=* --types= --no-headers none
kubectl explain, kubectl api-resources, kubectl api-versions: --recursive --api-version= --namespaced[=true|false] -o=wide|name --verbs= --api-group= names
kubectl version, kubectl cluster-info: --client -o=json|yaml --output=json|yaml none
kubectl config current-context, kubectl config get-contexts: -o=name none
kubectl auth can-i: @cluster --list -q --quiet -A resources
kubectl wait: @cluster --for=* --timeout= -l=* --all resources
kubectl delete, kubectl drain, kubectl scale, kubectl cordon, kubectl uncordon: @cluster !--all !--force !--now resources
helm list, helm ls: @cluster -A --all-namespaces -a --all -o=table|json|yaml -q --short -f=* --filter=* -m= none
helm status, helm history: @cluster -o=table|json|yaml --revision= --max= --show-resources names
helm lint, helm dependency list: --strict --quiet --set=* -f= --values= files
helm version, helm repo list, helm env: --short -o=table|json|yaml none
helm search repo: -l --versions -o=table|json|yaml --devel names
@terraform: -no-color -json -compact-warnings
terraform plan, tofu plan: @terraform -input=false -refresh=true|false -detailed-exitcode -parallelism= -lock-timeout= -target=words none
terraform validate, tofu validate, terraform providers, tofu providers, terraform version, tofu version, terraform graph: @terraform none
terraform fmt, tofu fmt: @terraform -check[=true|false] -recursive -diff -list=true|false -write=true|false files
terraform init, tofu init: @terraform -input=false -backend=false -get=false -lockfile=readonly none
terraform state list, tofu state list, terraform workspace list, terraform workspace show, tofu workspace list: @terraform names
@aws: --region=words --output=json|text|table|yaml|yaml-stream --query=* --no-cli-pager --no-paginate --max-items= --page-size= --no-cli-auto-prompt
aws * describe-*, aws * list-*: @aws none
aws s3 ls: @aws --recursive --human-readable --summarize names
aws sts get-caller-identity, aws configure list, aws configure list-profiles: @aws none
@gcloud: --format=* --filter=* --limit= --page-size= --sort-by=* --region=words --zone=words --uri --quiet -q
gcloud * list, gcloud * * list, gcloud * * * list, gcloud * describe, gcloud * * describe: @gcloud names
gcloud info, gcloud version: none
gcloud secrets list, gcloud auth list, gcloud config list, gcloud config configurations list: @gcloud none
@az: -o=json|jsonc|table|tsv|yaml|none --output=json|jsonc|table|tsv|yaml|none --query=* -g=words --resource-group=words -n=words --name=words --only-show-errors
az * list, az * show: @az none
az keyvault list, az keyvault secret list, az keyvault key list, az account list, az account show, az version: @az none
az storage account list, az appconfig list, az cosmosdb list: @az none
gh pr view, gh pr diff, gh pr checks, gh pr list, gh pr status, gh issue view, gh issue list, gh issue status: --json= -q=filters --jq=filters --template=* -c --comments
  --name-only --patch --color= --watch --required --fail-fast -i= --interval= -s=open|closed|merged|all --state=open|closed|merged|all -L= --limit= -l= --label=*
  -A= --author= -a= --assignee= -S=* --search=* -B= --base= -d --draft -m=* --milestone=* names
gh run list, gh run view, gh run watch, gh workflow list, gh workflow view: --json= -q=filters --jq=filters -L= --limit= -b= --branch= -w= --workflow= -s= --status= -e= --event=
  -u= --user= -c= --commit= -j= --job= --log --log-failed -v --verbose --exit-status -a --all names
gh release list, gh release view, gh repo list, gh label list, gh cache list, gh gist list: --json= -q=filters --jq=filters -L= --limit= names
gh repo view: --json= -q=filters --jq=filters -b= --branch= none
gh search prs, gh search issues, gh search repos, gh search code, gh search commits: --json= -q=filters --jq=filters -L= --limit= --state=open|closed --language=words text
gh api: --paginate --slurp -q=filters --jq=filters --cache= -i --include --silent -X=GET --method=GET routes none
gh status, gh auth status: --active none
glab mr view, glab mr list, glab mr diff, glab issue view, glab issue list, glab ci status, glab ci list: -c --comments -P= --per-page= -p= --page= -A --all names
curl: -s --silent -S --show-error -f --fail --fail-with-body -i --include -I --head -v --verbose -L --location -N --no-buffer -4 -6 -G --get -m=
  --max-time= --connect-timeout= --retry= --retry-delay= --compressed --http1.1 --http2 --no-progress-meter -o=/dev/null --output=/dev/null none
wget: -q --quiet -nv --spider -S --server-response -T= --timeout= -t= --tries= --no-verbose -4 -6 none
psql: -l --list -A -t -x -q -X -b --csv --no-align --tuples-only --expanded --quiet --no-psqlrc -w --no-password -V --version none
mysql, mariadb, mysqldump, mysqladmin, pg_dump, pg_restore, pg_dumpall, redis-cli, valkey-cli, mongosh, mongo, mongodump, mongorestore, sqlcmd, cqlsh,
  clickhouse-client, duckdb, bq, influx, cockroach, snowsql: --version none
sqlite3: -readonly -header -noheader -csv -json -column -line -list -table -markdown -box -batch -version none
flyctl, fly, heroku, vercel, netlify, firebase, wrangler, railway, supabase, serverless, pulumi, ansible, ansible-playbook, doctl, gsutil, rclone: --version none
systemctl status, systemctl is-active, systemctl is-enabled, systemctl is-failed, systemctl list-units, systemctl list-unit-files, systemctl list-timers,
  systemctl list-dependencies, systemctl cat: -a --all -l --full --no-pager -n= --lines= -q --quiet --user --system --type= --state= --no-legend --plain names
journalctl: -u=names --unit=names -n= --lines= -f --follow -e --pager-end -x --catalog -b[=] --boot[=] -k --dmesg -r --reverse --no-pager -p= --priority= --since=* --until=*
  -S=* -U=* -o=short|short-iso|short-precise|json|json-pretty|cat|verbose --output=short|short-iso|short-precise|json|json-pretty|cat|verbose
  -q --quiet -g=* --grep=* --user --system --list-boots --disk-usage --no-hostname --utc -t=names --identifier=names none`;
