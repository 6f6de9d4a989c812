#!/bin/sh
# Makes the certificates of the tests anew, with OpenSSL 3: sh make.sh
# They are valid from 2020 to 2120, but expired.pem. The keys are for tests alone and guard nothing.
set -e
cat > ca.cnf <<END
[ca]
default_ca = own
[own]
new_certs_dir = .
database = books
rand_serial = yes
unique_subject = no
default_md = sha256
copy_extensions = copy
policy = any
[any]
commonName = supplied
END
: > books
key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }
make() { # name, its key, the issuer's options, common name, extension, until
  openssl req -new -key "$2" -subj "/CN=$4" -addext "$5" -out request
  # Unlike `x509` of OpenSSL 3.0 this can make certificates of the past.
  openssl ca -batch -config ca.cnf $3 -notext -in request -out "$1.pem" -startdate 20200101000000Z -enddate "$6"
}
here='subjectAltName=DNS:localhost,IP:127.0.0.1'
there='subjectAltName=DNS:other.example,DNS:more.example'
by='-cert ca.pem -keyfile ca.key'
to=21200101000000Z
key ca.key
key server.key
key client.key
make ca ca.key '-selfsign -keyfile ca.key' 'Servelens test CA' 'basicConstraints=critical,CA:TRUE' $to
make server server.key "$by" localhost "$here" $to
make expired server.key "$by" localhost "$here" 20200102000000Z
make otherhost server.key "$by" other.example "$there" $to
make selfsigned server.key '-selfsign -keyfile server.key' localhost "$here" $to
make client client.key "$by" 'a scraper' 'extendedKeyUsage=clientAuth' $to
rm -f ca.key ca.cnf books* request [0-9A-F]*.pem
